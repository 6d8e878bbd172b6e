import type { Placed } from './export-files.ts'
import { kubectlName } from './object.ts'
import { type Gate, objectSteps, type Plan, type PlanNote, type Step } from './plan.ts'
import { shellLine } from './shell.ts'

const APPLY = 'kubectl apply --server-side --field-manager=fleetctl -k .'

function row(step: Step, placed: readonly Placed[]): string {
  if (step.type === 'wait') return `| ${step.number} | *wait* ${step.text} | | ${step.why} |`
  const path = placed.find(p => p.step === step)?.path
  const { namespace } = step.subject
  const name = `${kubectlName(step.subject)}${namespace === '' ? '' : ` in ${namespace}`}`
  // An object that is to go has no file: it is taken out of Git, or deleted by hand.
  const where = path === undefined ? '*delete it; no file says so*' : `[${path}](${path})`
  return `| ${step.number} | ${name} | ${where} | ${step.why} |`
}

/** Risks of whole repairs; what a single step may do stands beside it on the terminal. */
function risks(steps: readonly Step[]): readonly string[] {
  const lines = steps.flatMap(step =>
    step.type === 'object' && step.risk.level === 'high' ? [`- ${kubectlName(step.subject)}: ${step.risk.text}.`] : [],
  )
  return lines.length === 0 ? [] : ['## What it risks', '', ...lines, '']
}

function dangers(gates: readonly Gate[]): readonly string[] {
  if (gates.length === 0) return []
  return [
    '## Before you apply',
    '',
    ...gates.flatMap(gate => [`- **${gate.code}**: ${gate.text}.`, ...gate.details.map(detail => `  - ${detail}`)]),
    '',
  ]
}

function notes(list: readonly PlanNote[]): readonly string[] {
  if (list.length === 0) return []
  return ['## Good to know', '', ...list.map(note => `- ${note.text}.`), '']
}

function follows({ preview }: Plan): readonly string[] {
  const { made, lost } = preview.applications
  const lines = [
    ...preview.placements.map(
      p => `- Placement ${p.namespace}/${p.name} selects ${p.selected.join(', ') || 'no cluster'}.`,
    ),
    ...made.map(app => `- Application ${app.namespace}/${app.name || '(by template)'} is made for ${app.cluster}.`),
    ...lost.map(app => `- Application ${app.namespace}/${app.name} on ${app.cluster}: ${app.effect}.`),
  ]
  return lines.length === 0 ? [] : ['## What follows', '', ...lines, '']
}

function sharedFiles(placed: readonly Placed[], shared: ReadonlyMap<number, unknown>): readonly string[] {
  const files = placed.filter(p => shared.has(p.step.number))
  if (files.length === 0) return []
  return [
    'These objects are there already and belong to others as well. Apply them on the server side, so that nothing else of them',
    'is dropped; the annotation keeps Argo CD from pruning them:',
    '',
    ...files.map(({ path }) => `- ${path}`),
    '',
  ]
}

/** The command that carries out what no file can say: a deletion. Undefined where the plan deletes nothing. */
export function deletingCommand(plan: Plan): string | undefined {
  // What a run makes and deletes again is no deletion to carry out.
  if (!objectSteps(plan).some(step => step.action === 'delete' && step.undoes === undefined)) return undefined
  const openable = plan.gates.filter(gate => gate.flag !== '').map(gate => gate.code)
  const codes = [...new Set(openable)].filter(code => !plan.command.includes(code))
  const accept = codes.length === 0 ? [] : ['--accept', codes.join(',')]
  return `fleetctl ${shellLine([...plan.command, ...accept])}`
}

function howToApply(plan: Plan, placed: readonly Placed[]): readonly string[] {
  const deleting = deletingCommand(plan)
  const files = [
    'Nothing has been written to a cluster. Apply all of it to the hub with',
    '',
    '```',
    APPLY,
    '```',
    '',
    'or commit the folder and let Argo CD on the hub, or any other GitOps tool, apply it.',
    '',
  ]
  if (deleting === undefined) return files
  return [
    ...(placed.length === 0
      ? ['Nothing has been written to a cluster, and there is nothing here to apply.', '']
      : files),
    'Deletions are not exported. On the live hub this command deletes:',
    '',
    '```',
    deleting,
    '```',
    '',
  ]
}

/** The README beside the files. It has no date and no path of the machine in it: the same plan gives the same text. */
export function readmeOf(
  plan: Plan,
  placed: readonly Placed[],
  shared: ReadonlyMap<number, unknown>,
  command: string,
): string {
  const lines = [
    `# ${plan.title}`,
    '',
    'Made by this command:',
    '',
    '```',
    command,
    '```',
    '',
    ...howToApply(plan, placed),
    ...sharedFiles(placed, shared),
    '## Order',
    '',
    ...(placed.length === 0
      ? []
      : [
          'Applied at once, everything settles by itself: each controller waits for what it needs. Applied by hand, go from top to',
          'bottom and wait where it says so; then rights are there before the first sync.',
          '',
        ]),
    '| | object | file | takes effect |',
    '|---|---|---|---|',
    ...plan.steps.map(step => row(step, placed)),
    '',
    ...risks(plan.steps),
    ...dangers(plan.gates),
    ...follows(plan),
    ...notes(plan.notes),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}
