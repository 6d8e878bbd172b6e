import type { Placed } from './export-files.ts'
import { kubectlName } from './object.ts'
import type { Gate, Plan, PlanNote, Step } from './plan.ts'

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
    'Nothing has been written to a cluster. Apply all of it to the hub with',
    '',
    '```',
    APPLY,
    '```',
    '',
    'or commit the folder and let Argo CD on the hub, or any other GitOps tool, apply it.',
    '',
    ...sharedFiles(placed, shared),
    '## Order',
    '',
    'Applied at once, everything settles by itself: each controller waits for what it needs. Applied by hand, go from top to',
    'bottom and wait where it says so; then rights are there before the first sync.',
    '',
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
