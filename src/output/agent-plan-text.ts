import type { AgentPlan, AgentStep } from '../agent/agent-plan.ts'
import type { Precondition } from '../agent/preconditions/precondition.ts'
import { SET_UP_TEXTS } from '../agent/set-up.ts'
import { groupBy } from '../fleet/maps.ts'
import { subjectText } from '../fleet/subject.ts'
import { wrap } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'

const MOST = 20

/** The default text of `agent plan`: preconditions that do not hold, what freezes, the set-ups, the steps. */
export function renderAgentPlan(plan: AgentPlan, options: RenderOptions): string {
  return text(plan, options, false)
}

/** The same with every precondition and everything that freezes. */
export function renderAgentPlanWide(plan: AgentPlan, options: RenderOptions): string {
  return text(plan, { ...options, width: Number.POSITIVE_INFINITY }, true)
}

function text(plan: AgentPlan, options: RenderOptions, all: boolean): string {
  const sections = [
    options.headers ? headLines(plan, options) : [],
    preconditionLines(plan, options, all),
    frozenLines(plan, options, all),
    setUpLines(plan, options),
    stepsLines(plan, options),
    noteLines(plan, options),
    endLines(plan, options),
  ]
  return sections
    .filter(lines => lines.length > 0)
    .map(lines => `${lines.join('\n')}\n`)
    .join('\n')
}

function headLines({ setup, hub, clusters, source }: AgentPlan, { width, style }: RenderOptions): string[] {
  const version = hub.operatorVersion === '' ? 'version not seen' : `OpenShift GitOps ${hub.operatorVersion}`
  const argo = hub.argocd === '' ? 'no ArgoCD resource' : `ArgoCD ${hub.argocd}`
  const where = source.type === 'live' ? `hub ${oneLine(source.name)}` : `${source.type} ${oneLine(source.name)}`
  return [
    ...wrap(
      `${style.bold('Agents')} for ${clusters.length === 0 ? 'clusters that are not chosen yet' : clusters.join(', ')}, against ${where}`,
      width,
      '',
      '  ',
    ),
    ...wrap(`Set-up ${setup}: ${SET_UP_TEXTS[setup]}`, width, '', '  '),
    ...wrap(`Argo CD in ${hub.argoNamespace} (${argo}, ${version}), ${hub.flavour}`, width, '', '  '),
  ]
}

function mark(state: Precondition['state'], weight: Precondition['weight'], { symbols, style }: RenderOptions): string {
  if (state === 'ok') return `${symbols.pass}${style.green('ok     ')}`
  if (state === 'unknown') return `${symbols.unknown}${style.dim('unknown')}`
  return weight === 'blocks' ? `${symbols.fail}${style.red('failed ')}` : `${symbols.warn}${style.yellow('warning')}`
}

/** Preconditions that cannot be judged for one and the same reason stand together. */
function groupsOf(preconditions: readonly Precondition[]): readonly (readonly Precondition[])[] {
  const groups = groupBy(preconditions, p => (p.state === 'unknown' ? `unknown ${p.seen}` : p.code))
  return [...groups.values()]
}

function groupLines(group: readonly Precondition[], options: RenderOptions): string[] {
  const [first] = group
  if (first === undefined) return []
  const { style, width } = options
  const head = mark(first.state, first.weight, options)
  const code = group.length === 1 ? `${style.bold(first.code)}   ` : ''
  const title = group.length === 1 ? first.title : group.map(p => p.code).join(', ')
  return [
    ...wrap(title, width, `  ${head} ${code}`, '      '),
    ...wrap(`seen: ${first.seen}`, width, '      '),
    ...(first.todo === '' ? [] : wrap(`do: ${first.todo}`, width, '      ')),
  ]
}

function preconditionLines({ preconditions }: AgentPlan, options: RenderOptions, all: boolean): string[] {
  const good = preconditions.filter(p => p.state === 'ok').length
  const shown = all ? preconditions.map(p => [p]) : groupsOf(preconditions.filter(p => p.state !== 'ok'))
  const rest =
    all || good === 0
      ? []
      : [`  ${options.symbols.pass}${good} ${good === preconditions.length ? 'hold' : 'more hold'} (-o wide)`]
  return [options.style.bold('Preconditions'), ...shown.flatMap(group => groupLines(group, options)), ...rest]
}

function frozenLines({ frozen, setup, hub }: AgentPlan, options: RenderOptions, all: boolean): string[] {
  if (frozen.length === 0) {
    const why =
      setup === 'documented'
        ? 'no Application of this Argo CD needs its controller'
        : `with --setup ${setup} nothing does`
    return [options.style.bold('What would freeze'), `  nothing: ${why}`]
  }
  const isAlready = frozen.every(f => f.already)
  const head = isAlready ? 'Frozen already' : 'What would freeze'
  const shown = all ? frozen : frozen.slice(0, MOST)
  const more = frozen.length - shown.length
  return [
    options.style.bold(`${head} (${frozen.length} in ${hub.argoNamespace})`),
    ...shown.flatMap(f => {
      const where = f.cluster === '' ? f.model : `${f.model} to ${f.cluster}`
      return [
        ...wrap(
          `${where}${f.hasFinalizer ? ', with finalizer' : ''}`,
          options.width,
          `  ${oneLine(subjectText(f.subject))}   `,
          '    ',
        ),
        ...wrap(`other way: ${f.otherWay.text}`, options.width, '      '),
      ]
    }),
    ...(more > 0 ? [`  and ${more} more (-o wide)`] : []),
  ]
}

function setUpLines({ setups, recommended, setup }: AgentPlan, options: RenderOptions): string[] {
  const { style, symbols, width } = options
  const sign = { yes: symbols.pass, no: symbols.fail, unknown: symbols.unknown }
  return [
    style.bold('Set-ups'),
    ...setups.flatMap(s =>
      wrap(
        `${s.fits === 'yes' ? 'fits' : s.fits === 'no' ? 'does not fit' : 'unknown'}: ${s.text}${s.setup === setup ? ' (this plan)' : ''}`,
        width,
        `  ${sign[s.fits]}${s.setup.padEnd(11)}`,
        ' '.repeat(15),
      ),
    ),
    ...wrap(`recommended: ${style.bold(recommended.setup)}, because ${recommended.reason}`, width, '  ', '    '),
  ]
}

const STATES: Readonly<Record<AgentStep['state'], string>> = {
  planned: '',
  unchanged: ' (as it is wanted already)',
  open: ' (not yet: see preconditions and notes)',
  'by-hand': ' (by hand)',
}

function stepsLines({ steps }: AgentPlan, options: RenderOptions): string[] {
  const { style, width } = options
  const part = (name: string, value: string): string[] => wrap(value, width, `       ${name} `, ' '.repeat(17))
  return [
    style.bold('Steps'),
    ...steps.flatMap(step => [
      ...wrap(
        `${style.bold(step.key)}: ${step.title}${style.dim(STATES[step.state])}`,
        width,
        `${String(step.number).padStart(3)}  `,
        '       ',
      ),
      ...step.objects
        .filter(o => o.action !== 'unchanged')
        .flatMap(o =>
          part(
            o.action.padEnd(9),
            `${subjectText(o.subject)}${o.fields.length === 0 ? '' : `: ${o.fields.join(', ')}`}`,
          ),
        ),
      ...(step.state === 'unchanged'
        ? []
        : [
            ...part('effect   ', step.effect),
            ...step.signals.flatMap(signal => part('done when', signal)),
            ...part('way back ', step.revert),
          ]),
    ]),
  ]
}

function noteLines({ notes }: AgentPlan, options: RenderOptions): string[] {
  const word = (level: string): string => (level === 'warning' ? options.style.yellow('Warning ') : 'Note    ')
  return notes.flatMap(note => wrap(oneLine(note.text), options.width, `  ${word(note.level)}`, ' '.repeat(10)))
}

function endLines({ blockers }: AgentPlan, options: RenderOptions): string[] {
  if (blockers.length === 0) return [options.style.bold(`Nothing is in the way of "${options.command} agent enable".`)]
  return [
    options.style.bold(`In the way of "${options.command} agent enable":`),
    ...blockers.flatMap(text => wrap(oneLine(text), options.width, '  - ', '    ')),
  ]
}
