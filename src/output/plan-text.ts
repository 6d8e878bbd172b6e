import { subjectText } from '../fleet/subject.ts'
import { kubectlName } from '../plan/object.ts'
import type { Action, Gate, ObjectStep, Plan, Step } from '../plan/plan.ts'
import type { ApplicationPreview, PlacementPreview } from '../plan/preview.ts'
import { count, some, wrap } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { fieldLines, manifestLines } from './plan-diff-text.ts'
import { oneLine } from './sanitize.ts'

const VERB_WIDTH = 11
const NAMES_SHOWN = 12

/** The default text of a plan: preview, steps, dangers, notes, totals. */
export function renderPlanText(plan: Plan, options: RenderOptions): string {
  return planText(plan, options, false)
}

/** The same with every field that is written. */
export function renderPlanDiff(plan: Plan, options: RenderOptions): string {
  return planText(plan, options, true)
}

function planText(plan: Plan, options: RenderOptions, diff: boolean): string {
  const sections = [
    options.headers ? wrap(`Plan: ${plan.title}, against ${targetText(plan)}`, options.width, '', '  ') : [],
    previewLines(plan, options),
    ...sectionsOf(plan.steps).map(([name, steps]) => [
      options.style.bold(name),
      ...steps.flatMap(step => stepLines(step, options, diff)),
    ]),
    gateLines(plan, options),
    noteLines(plan, options),
    totals(plan, options),
  ]
  return sections
    .filter(lines => lines.length > 0)
    .map(lines => `${lines.join('\n')}\n`)
    .join('\n')
}

function targetText({ target }: Plan): string {
  return target.type === 'live' ? `hub ${oneLine(target.name)}` : `${target.type} ${oneLine(target.name)}`
}

/** Steps under their headings; a heading that comes again later stands there again. */
function sectionsOf(steps: readonly Step[]): readonly (readonly [string, readonly Step[]])[] {
  const sections: [string, Step[]][] = []
  for (const step of steps) {
    const last = sections.at(-1)
    if (last !== undefined && last[0] === step.section) last[1].push(step)
    else sections.push([step.section, [step]])
  }
  return sections
}

function verb(action: Action | 'wait', { style }: RenderOptions): string {
  const text = action.padEnd(VERB_WIDTH)
  if (action === 'create') return style.green(text)
  if (action === 'configure') return style.yellow(text)
  return action === 'delete' ? style.red(text) : style.dim(text)
}

function stepLines(step: Step, options: RenderOptions, diff: boolean): string[] {
  const number = String(step.number).padStart(3)
  const indent = ' '.repeat(4 + VERB_WIDTH)
  if (step.type === 'wait') return wrap(oneLine(step.text), options.width, `${number} ${verb('wait', options)}`, indent)
  return [
    `${number} ${verb(step.action, options)}${options.style.bold(nameOf(step))}`,
    ...(step.action === 'unchanged' ? [] : detailLines(step, options, indent, diff)),
  ]
}

function nameOf({ subject }: ObjectStep): string {
  const place = subject.cluster === 'hub' ? '' : ` on ${subject.cluster}`
  const namespace = subject.namespace === '' ? '' : ` -n ${subject.namespace}`
  return oneLine(`${kubectlName(subject)}${namespace}${place}`)
}

function detailLines(step: ObjectStep, options: RenderOptions, indent: string, diff: boolean): string[] {
  const lines = wrap(step.why, options.width, indent)
  if (step.action === 'configure') lines.push(...fieldLines(step, options, indent, diff))
  if (step.action === 'create' && diff) lines.push(...manifestLines(step, options, indent))
  if (step.precondition.state === 'unknown') {
    lines.push(...wrap(`not seen: ${step.precondition.reason}`, options.width, indent))
  }
  if (step.owner !== undefined) lines.push(...wrap(`kept by ${step.owner.text}`, options.width, indent))
  if (step.risk.level !== 'none') {
    const word = step.risk.level === 'high' ? options.style.yellow('risk') : 'note'
    lines.push(...wrap(`${word}: ${step.risk.text}`, options.width, indent))
  }
  return lines
}

function previewLines({ preview, steps }: Plan, options: RenderOptions): string[] {
  const { made, lost } = preview.applications
  if (preview.placements.length === 0 && made.length === 0 && lost.length === 0) return []
  if (steps.every(step => step.type === 'wait' || step.action === 'unchanged') && lost.length === 0) {
    return preview.placements.flatMap(p => placementLines(p, options))
  }
  return [
    options.style.bold('What follows'),
    ...preview.placements.flatMap(p => placementLines(p, options)),
    ...applicationLines('makes', made, options, false),
    ...applicationLines('deletes', lost, options, true),
  ]
}

/** One Placement with what it would select, and why not the other clusters. */
export function placementLines(p: PlacementPreview, options: RenderOptions): string[] {
  const names = (list: readonly string[]): string =>
    list.length === 0 ? 'no cluster' : some(list, list.length, NAMES_SHOWN)
  const surely = p.certain ? 'selects' : 'may select'
  const comes = p.comes.length === 0 || p.comes.length === p.selected.length ? '' : `; new: ${names(p.comes)}`
  const goes = p.goes.length === 0 ? '' : `; loses ${names(p.goes)}`
  const mayGo = p.mayGo.length === 0 ? '' : `; may lose ${names(p.mayGo)}`
  const text = `Placement ${p.namespace}/${p.name} ${surely} ${names(p.selected)}${comes}${goes}${mayGo}`
  const reasons = p.notSelected.slice(0, NAMES_SHOWN).map(n => `not ${n.cluster}: ${n.detail}`)
  const more = p.notSelected.length - reasons.length
  return [
    ...wrap(text, options.width, '  ', '    '),
    ...[...p.doubts, ...reasons].flatMap(line => wrap(line, options.width, '    ', '      ')),
    ...(more > 0 ? [`    and ${count(more, 'more cluster')} not`] : []),
  ]
}

function applicationLines(
  what: string,
  apps: readonly ApplicationPreview[],
  options: RenderOptions,
  effects: boolean,
): string[] {
  const shown = apps.slice(0, NAMES_SHOWN)
  const lines = shown.flatMap(app => {
    const name =
      app.name === '' ? `an Application of ${app.applicationSet}` : `Application ${app.namespace}/${app.name}`
    const cluster = app.cluster === '' ? '' : ` for ${app.cluster}`
    return wrap(`${what} ${name}${cluster}${effects ? `: ${app.effect}` : ''}`, options.width, '  ', '    ')
  })
  const more = apps.length - shown.length
  return more > 0 ? [...lines, `  ${what} ${count(more, 'more Application')}`] : lines
}

function gateLines({ gates }: Plan, options: RenderOptions): string[] {
  if (gates.length === 0) return []
  return [options.style.bold('Dangers'), ...gates.flatMap(gate => gateBlock(gate, options))]
}

function gateBlock(gate: Gate, options: RenderOptions): string[] {
  const { symbols, style } = options
  const mark = gate.accepted ? symbols.pass : symbols.fail
  const state = gate.accepted ? 'accepted' : gate.flag === '' ? 'stops the plan' : `needs ${gate.flag}`
  const word = gate.accepted ? style.dim(state) : style.red(state)
  return [
    `  ${mark}${style.bold(gate.code)}   ${word}`,
    ...wrap(gate.text, options.width, '    '),
    ...gate.details.slice(0, NAMES_SHOWN).flatMap(line => wrap(line, options.width, '    - ', '      ')),
    ...(gate.details.length > NAMES_SHOWN ? [`    - and ${gate.details.length - NAMES_SHOWN} more (-o json)`] : []),
  ]
}

function noteLines({ notes }: Plan, options: RenderOptions): string[] {
  if (notes.length === 0) return []
  const word = (level: string): string => (level === 'warning' ? options.style.yellow('Warning ') : 'Note    ')
  return notes.flatMap(note => wrap(oneLine(note.text), options.width, `  ${word(note.level)}`, ' '.repeat(10)))
}

function totals(plan: Plan, options: RenderOptions): string[] {
  const { create, configure, unchanged, delete: deleted } = plan.summary
  const parts = [`${create} to create`, `${configure} to configure`, `${unchanged} unchanged`]
  if (deleted > 0) parts.push(`${deleted} to delete`)
  const owned = plan.steps.filter(step => step.type === 'object' && step.owner !== undefined)
  return [
    options.style.bold(`${parts.join(', ')}.`),
    ...(owned.length === 0
      ? []
      : wrap(
          `${some(
            owned.flatMap(step => (step.type === 'object' ? [subjectText(step.subject)] : [])),
            owned.length,
            3,
          )}: kept in Git or by another object; --export DIR writes the change as files.`,
          options.width,
        )),
  ]
}
