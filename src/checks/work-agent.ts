import { condition } from '../fleet/joins/clusters.ts'
import { WORK_FINALIZER } from '../fleet/joins/works.ts'
import type { ManifestWork } from '../fleet/records.ts'
import { olderThan, SECOND } from './support.ts'

/** A running work agent takes up a new or deleted ManifestWork within a second or two (seen); this is ample. */
const PICKED_UP_WITHIN = 10 * SECOND

/** Created some time ago, and the agent has neither added its finalizer nor written a condition. */
function neverSeen(now: number, work: ManifestWork): boolean {
  return (
    work.meta.deleting === undefined &&
    condition(work, 'Applied') === undefined &&
    !work.meta.finalizers.includes(WORK_FINALIZER) &&
    olderThan(now, work.meta.created, PICKED_UP_WITHIN)
  )
}

/** The spec is newer than what the agent has observed. */
function behind(work: ManifestWork): boolean {
  const observed = condition(work, 'Applied')?.observedGeneration
  return work.meta.deleting === undefined && observed !== undefined && observed < work.meta.generation
}

/** Deleted, held by the agent's finalizer, and the agent has not even said that it is deleting. */
function deletionUnseen(now: number, work: ManifestWork): boolean {
  return (
    work.meta.finalizers.includes(WORK_FINALIZER) &&
    condition(work, 'Deleting') === undefined &&
    olderThan(now, work.meta.deleting, PICKED_UP_WITHIN)
  )
}

/** Does the ManifestWork wait for an agent that does not react? */
export function waitsForAgent(now: number, work: ManifestWork): boolean {
  return neverSeen(now, work) || behind(work) || deletionUnseen(now, work)
}

/** What the agent has not done, in words. */
export function waitText(now: number, work: ManifestWork): string {
  if (neverSeen(now, work)) return 'not picked up: no conditions, no finalizer'
  if (deletionUnseen(now, work)) return 'deletion not picked up: no Deleting condition'
  const observed = condition(work, 'Applied')?.observedGeneration ?? 0
  return `generation ${work.meta.generation}, but the agent has observed ${observed}`
}
