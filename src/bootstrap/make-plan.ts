import { API_VERSION } from '../checks/report.ts'
import type { LoadedFleet } from '../fleet/load.ts'
import { makeSteps, type Wait, type Want } from '../plan/make-steps.ts'
import { type Manifest, type RawObject, subjectOf } from '../plan/object.ts'
import type { ObjectReader } from '../plan/object-reader.ts'
import type { Action, Plan, Step } from '../plan/plan.ts'
import { policyOwners } from '../plan/policy-owner.ts'
import { previewOf } from '../plan/preview.ts'
import { merge } from '../plan/values.ts'
import { type WhatIf, whatIf, withCel } from '../plan/what-if.ts'
import type { FleetSource } from '../source/source.ts'
import { VERSION } from '../version.ts'
import { type Blueprint, makeBlueprint } from './blueprint.ts'
import { commandOf } from './command.ts'
import { gatesOf } from './gates.ts'
import { notesOf } from './notes.ts'
import type { Part } from './part-names.ts'
import { syncedWait } from './parts/application-set.ts'
import { refuse } from './refuse.ts'
import type { Model, Settings } from './settings.ts'
import { deliveryWants, selectionWants } from './wants.ts'

/** What a bootstrap is asked for. */
export interface BootstrapRequest {
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

function summaryOf(steps: readonly Step[]): Readonly<Record<Action, number>> {
  const summary = { create: 0, configure: 0, unchanged: 0, delete: 0 }
  for (const step of steps) if (step.type === 'object') summary[step.action]++
  return summary
}

/** Takes fields from their owners: the user has accepted that for all of them. */
function forced(step: Step): Step {
  const isContested = step.type === 'object' && step.changes.some(change => change.owners.length > 0)
  return isContested ? { ...step, force: true } : step
}

/**
 * Plans a bootstrap against a hub that was read: what is made and changed, in which order, what follows from it for the
 * whole fleet, and which dangers have to be accepted.
 *
 * @throws UsageError where the request cannot be met on this hub
 */
export async function makeBootstrapPlan(request: BootstrapRequest, input: PlanInput): Promise<Plan> {
  const { source, reader, now } = input
  const { settings, parts, model } = request
  const blueprint = makeBlueprint(input.loaded.fleet, settings, parts, model)
  const first = selectionWants(blueprint)
  const selecting = await objectsAfter(first, reader)
  const loaded = await withCel(input.loaded, selecting)
  const clusters = selectedIn(whatIf(loaded, selecting), blueprint)
  const wants = [...first, ...deliveryWants(blueprint, clusters)]
  const before = whatIf(loaded, [])
  const after = whatIf(loaded, await objectsAfter(wants, reader))
  const own = `${blueprint.argoNamespace}/${blueprint.placement.name}`
  const preview = previewOf(before, after, new Set([own]))
  const ours = preview.applications.made.filter(
    app => app.applicationSet === `${blueprint.argoNamespace}/${blueprint.appSet}` && app.name !== '',
  )
  const verify = parts.has('appset')
    ? syncedWait(
        blueprint,
        ours.map(app => app.name),
      )
    : []
  const planned = await makeSteps([...wants, ...verify], reader, policyOwners(loaded.fleet))
  const steps = request.accepted.has('conflicts') ? planned.map(forced) : planned
  const context = { blueprint, clusters, before: before.fleet, after: after.fleet, preview, steps: planned }
  refuse(context)
  return {
    apiVersion: API_VERSION,
    kind: 'Plan',
    version: VERSION,
    createdAt: now.toISOString(),
    title: request.words.join(' '),
    command: commandOf(request.words, settings),
    target: {
      type: source.type,
      name: source.name,
      hub: loaded.fleet.hub.of('Namespace').get('', 'kube-system')?.meta.uid ?? '',
    },
    summary: summaryOf(steps),
    notes: notesOf(context),
    gates: gatesOf(context, request.accepted),
    preview,
    steps,
  }
}
