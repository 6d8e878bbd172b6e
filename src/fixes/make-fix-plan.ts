import { hubFacts } from '../bootstrap/hub.ts'
import type { Diagnosis } from '../diagnosis.ts'
import { EXIT, FleetctlError, UsageError } from '../errors.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { subjectKey, subjectText } from '../fleet/subject.ts'
import { makeSteps, numbered } from '../plan/make-steps.ts'
import { type Manifest, subjectOf } from '../plan/object.ts'
import type { KeptSource } from '../plan/object-reader.ts'
import type { Plan, PlanNote, Step } from '../plan/plan.ts'
import { planOf } from '../plan/plan-of.ts'
import { type PlanPreview, previewOf } from '../plan/preview.ts'
import { merge } from '../plan/values.ts'
import { whatIf, withCel } from '../plan/what-if.ts'
import type { RawObject } from '../raw.ts'
import { didYouMean } from '../ui/nearest.ts'
import { type Choice, choose } from './choose.ts'
import { type Draft, draftFixes } from './draft.ts'
import { gatesOf } from './gates.ts'

interface FixRequest {
  readonly choice: Choice
  /** The words of the command, which make the same plan again. */
  readonly words: readonly string[]
  /** Dangers that the user has accepted by name. */
  readonly accepted: ReadonlySet<string>
  /** The plan becomes files for Git: objects that somebody keeps there are part of it, and nothing that happens once is. */
  readonly forFiles: boolean
}

interface FixPlanInput {
  readonly diagnosis: Diagnosis
  readonly kept: KeptSource
  readonly reader: KeptSource['reader']
  /** The clock, for `createdAt`. */
  readonly now: Date
}

interface Following {
  readonly preview: PlanPreview
  /** The fleet without and with the fixes. */
  readonly before: Fleet
  readonly after: Fleet
}

/** What follows from the fixes for Placements and Applications. Deletions are not played: their risk is told in words. */
async function followsFrom(wants: Draft['wants'], { diagnosis, kept }: FixPlanInput): Promise<Following> {
  const objects = wants.flatMap((want): Manifest[] => {
    if (want.type === 'delete') return []
    const there: RawObject = kept.kept(subjectOf('hub', want.manifest)) ?? {}
    // Merging adds to the manifest and takes nothing from it.
    return [merge(there, want.manifest) as Manifest]
  })
  const loaded = await withCel(diagnosis, objects)
  const touched = objects.filter(o => o.kind === 'Placement').map(o => `${o.metadata.namespace}/${o.metadata.name}`)
  const before = whatIf(loaded, [])
  const after = whatIf(loaded, objects)
  return { preview: previewOf(before, after, new Set(touched)), before: before.fleet, after: after.fleet }
}

function isOnce(step: Step, once: ReadonlySet<string>): boolean {
  return step.type === 'object' && once.has(subjectKey(step.subject))
}

/** Whoever keeps an object leaves alone what only starts something. */
function withoutOwner(step: Step): Step {
  if (step.type === 'wait') return step
  const { owner: _, ...rest } = step
  return rest
}

/** Steps on objects that somebody else keeps as they are: here they would not last. */
function ownedByOthers(steps: readonly Step[]): readonly Step[] {
  return steps.filter(step => step.type === 'object' && step.owner !== undefined)
}

function ownedNote(step: Step): readonly PlanNote[] {
  if (step.type === 'wait') return []
  const by = step.owner?.text ?? 'somebody else'
  const text = `${subjectText(step.subject)} is kept by ${by}, who would undo the change: write it as a file for Git with --export DIR`
  return [{ level: 'warning', code: 'gitops-owned', text }]
}

/** An object that was never applied does not say who set its fields; the server counts them as somebody's all the same. */
function forced(step: Step): Step {
  const changes = step.type === 'object' && step.changes.some(c => c.owners.length > 0 || c.change !== 'add')
  return changes ? { ...step, force: true } : step
}

/** @throws FleetctlError where there are findings and nothing can be done about them here */
function refuseIdle({ left }: Draft, aside: readonly PlanNote[]): void {
  const why = [...left, ...aside.map(note => note.text)]
  const [first, ...more] = why
  if (first === undefined) return
  const rest = more.length === 0 ? '' : ` (and ${more.length} more: ${more.slice(0, 3).join('; ')})`
  throw new FleetctlError(`nothing is mended: ${first}${rest}`, EXIT.refused)
}

/** @throws UsageError for names that no finding of these checks is about, though there are such findings */
function refuseUnknownNames(diagnosis: Diagnosis, choice: Choice): void {
  if (choice.names.length === 0) return
  const all = choose(diagnosis, { ...choice, names: [] }).map(({ node }) => node.found.finding.subject.name)
  if (all.length === 0) return
  const known = [...new Set(all)]
  const [first = ''] = choice.names
  throw new UsageError(
    `no such finding is about "${first}"${didYouMean(first, known, `; there are ${known.slice(0, 10).join(', ')}`)}`,
  )
}

/**
 * Plans the fixes of the chosen findings: one step for each object, with the risk of its fix, and what follows from it.
 *
 * @throws FleetctlError (6) where there are findings, and none of them can be mended here
 */
export async function makeFixPlan(request: FixRequest, input: FixPlanInput): Promise<Plan> {
  const { diagnosis, kept, reader, now } = input
  const { fleet } = diagnosis
  const chosen = choose(diagnosis, request.choice)
  if (chosen.length === 0) refuseUnknownNames(diagnosis, request.choice)
  const { forFiles, accepted } = request
  const { version } = hubFacts(fleet)
  const draft = draftFixes(chosen, { fleet, kept: kept.kept, version, forFiles })
  const made = (await makeSteps(draft.wants, reader, fleet)).map(step =>
    isOnce(step, draft.once) ? withoutOwner(step) : step,
  )
  const aside = new Set(forFiles ? [] : ownedByOthers(made))
  const asideNotes = [...aside].flatMap(ownedNote)
  const done = made.filter(step => !aside.has(step))
  if (done.length === 0 && !request.choice.allSafe) refuseIdle(draft, asideNotes)
  const steps = numbered(done.map(step => (accepted.has('conflicts') ? forced(step) : step)))
  const wants = draft.wants.filter((_, i) => made[i] !== undefined && !aside.has(made[i]))
  const follows = await followsFrom(wants, input)
  const { preview } = follows
  const nothing: PlanNote = { level: 'info', code: 'nothing-to-fix', text: nothingText(request.choice) }
  const notes = [
    ...unseenNote(diagnosis, request.choice),
    ...asideNotes,
    ...draft.notes,
    ...(chosen.length === 0 ? [nothing] : []),
  ]
  const gates = gatesOf({ steps, ...follows }, accepted)
  return planOf(
    { title: request.words.join(' '), command: request.words, notes, gates, preview, steps },
    { source: kept.source, fleet, now },
  )
}

/** Said with `--all-safe`, where some faults could not be looked for; by name that ends the command. */
function unseenNote({ run }: Diagnosis, { allSafe }: Choice): readonly PlanNote[] {
  const { length } = run.unknown
  if (!allSafe || length === 0) return []
  const checks = length === 1 ? '1 check' : `${length} checks`
  const text = `${checks} could not be evaluated, and what they would find is not mended; "fleetctl doctor" tells why`
  return [{ level: 'warning', code: 'not-evaluated', text }]
}

function nothingText({ allSafe, codes }: Choice): string {
  return allSafe
    ? 'no finding has a safe fix: nothing to mend'
    : `no finding of ${codes.join(', ')} is in this fleet, or none that was named: nothing to mend`
}
