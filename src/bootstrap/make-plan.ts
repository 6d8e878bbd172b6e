import type { LoadedFleet } from '../fleet/load.ts'
import { makeSteps, type Wait, type Want } from '../plan/make-steps.ts'
import { type Manifest, subjectOf } from '../plan/object.ts'
import type { ObjectReader } from '../plan/object-reader.ts'
import type { Gate, Plan, PlanNote, Step } from '../plan/plan.ts'
import { planOf } from '../plan/plan-of.ts'
import { previewOf } from '../plan/preview.ts'
import { merge } from '../plan/values.ts'
import { type WhatIf, whatIf, withCel } from '../plan/what-if.ts'
import type { RawObject } from '../raw.ts'
import type { FleetSource } from '../source/source.ts'
import { type Blueprint, makeBlueprint } from './blueprint.ts'
import { commandOf } from './command.ts'
import { gatesOf } from './gates.ts'
import type { Judged } from './judge.ts'
import { notesOf } from './notes.ts'
import type { Part } from './part-names.ts'
import { syncedWait } from './parts/application-set.ts'
import { refuse } from './refuse.ts'
import type { Model, Settings } from './settings.ts'
import { deliveryWants, selectionWants } from './wants.ts'

/** What a bootstrap is asked for. */
interface BootstrapRequest {
  /** `bootstrap pull`, `bootstrap binding`, …: also the words of the command. */
  readonly words: readonly string[]
  readonly parts: ReadonlySet<Part>
  readonly model: Model | undefined
  readonly settings: Settings
  /** Dangers that the user has accepted by name. */
  readonly accepted: ReadonlySet<string>
}

export interface PlanInput {
  readonly loaded: LoadedFleet
  readonly source: Pick<FleetSource, 'type' | 'name'>
  readonly reader: ObjectReader
  /** The clock, for `createdAt`. */
  readonly now: Date
}

/** The objects as they would be on the hub: what is there, with what is wanted laid over it. */
async function objectsAfter(wants: readonly (Want | Wait)[], reader: ObjectReader): Promise<readonly Manifest[]> {
  const objects: Manifest[] = []
  for (const want of wants) {
    if (want.type === 'wait') continue
    const seen = await reader.look(subjectOf('hub', want.manifest))
    const base: RawObject = seen.state === 'present' ? seen.object : {}
    // Merging adds to the manifest and takes nothing from it.
    objects.push(merge(base, want.manifest) as Manifest)
  }
  return objects
}

function selectedIn(after: WhatIf, { argoNamespace, placement }: Blueprint): readonly string[] {
  const explanation = after.explanations.get(`${argoNamespace}/${placement.name}`)
  if (explanation === undefined) return []
  return explanation.certain ? explanation.selected : explanation.candidates
}

/** Takes fields from their owners: the user has accepted that for all of them. */
function forced(step: Step): Step {
  const isContested = step.type === 'object' && step.changes.some(change => change.owners.length > 0)
  return isContested ? { ...step, force: true } : step
}

/** What a plan consists of, once it is known what the settings mean on this hub. */
interface Arrangement {
  readonly blueprint: Blueprint
  /** What has to be there before anything can be selected. */
  readonly first: readonly (Want | Wait)[]
  /** Everything else, in order. @param clusters what the Placement selects */
  rest(clusters: readonly string[]): readonly (Want | Wait)[]
  /** What is awaited in the end. @param applications names of those that the ApplicationSet of the plan makes */
  last(applications: readonly string[]): readonly Wait[]
  /** @throws UsageError for a plan that can never work on this hub */
  refuse(judged: Judged): void
  gates(judged: Judged): readonly Gate[]
  notes(judged: Judged): readonly PlanNote[]
}

/** A plan, with all that it was judged by. */
interface ArrangedPlan {
  readonly plan: Plan
  readonly judged: Judged
}

/** Works out a plan: steps against what is there, what follows from them, and the dangers. */
export async function arrangePlan(
  arrangement: Arrangement,
  request: Pick<BootstrapRequest, 'words' | 'parts' | 'accepted'> & { readonly command: readonly string[] },
  input: PlanInput,
): Promise<ArrangedPlan> {
  const { source, reader, now } = input
  const { blueprint, first } = arrangement
  const selecting = await objectsAfter(first, reader)
  const loaded = await withCel(input.loaded, selecting)
  const clusters = selectedIn(whatIf(loaded, selecting), blueprint)
  const wants = [...first, ...arrangement.rest(clusters)]
  const before = whatIf(loaded, [])
  const after = whatIf(loaded, await objectsAfter(wants, reader))
  const own = `${blueprint.argoNamespace}/${blueprint.placement.name}`
  const preview = previewOf(before, after, new Set([own]))
  const ours = preview.applications.made.filter(
    app => app.applicationSet === `${blueprint.argoNamespace}/${blueprint.appSet}` && app.name !== '',
  )
  const verify = request.parts.has('appset') ? arrangement.last(ours.map(app => app.name)) : []
  const planned = await makeSteps([...wants, ...verify], reader, loaded.fleet)
  const steps = request.accepted.has('conflicts') ? planned.map(forced) : planned
  const judged = { blueprint, clusters, before: before.fleet, after: after.fleet, preview, steps: planned }
  arrangement.refuse(judged)
  const content = {
    title: request.words.join(' '),
    command: request.command,
    notes: arrangement.notes(judged),
    gates: arrangement.gates(judged),
    preview,
    steps,
  }
  return { plan: planOf(content, { source, fleet: loaded.fleet, now }), judged }
}

/**
 * Plans a bootstrap against a hub that was read: what is made and changed, in which order, what follows from it for the
 * whole fleet, and which dangers have to be accepted.
 *
 * @throws UsageError where the request cannot be met on this hub
 */
export async function makeBootstrapPlan(request: BootstrapRequest, input: PlanInput): Promise<Plan> {
  const { settings, parts, model } = request
  const blueprint = makeBlueprint(input.loaded.fleet, settings, parts, model)
  const arrangement: Arrangement = {
    blueprint,
    first: selectionWants(blueprint),
    rest: clusters => deliveryWants(blueprint, clusters),
    last: applications => syncedWait(blueprint, applications),
    refuse,
    gates: judged => gatesOf(judged, request.accepted),
    notes: notesOf,
  }
  return (await arrangePlan(arrangement, { ...request, command: commandOf(request.words, settings) }, input)).plan
}
