import { diagnose, examine, kindsOn } from '../diagnosis.ts'
import type { LoadedFleet } from '../fleet/load.ts'
import type { FleetSource } from '../source/source.ts'
import { loadForTrace } from '../trace/load.ts'
import type { Goal } from './goals.ts'
import { checksFor, inOrder, judge, type Target } from './judge.ts'
import type { Member } from './member.ts'

/** How the members of a goal are at one moment, and what was read for it. */
export interface Look {
  readonly members: readonly Member[]
  readonly loaded: LoadedFleet
}

/** More Applications than this are cheaper in one reading of the whole hub. */
const MOST_APART = 3

/**
 * Reads what a goal is about and judges it. Of a live hub a few Applications are read by name and label, as their traces are:
 * at most 25 requests for each, however large the hub is. An Application that is not there is looked for on the whole hub.
 *
 * @throws UsageError where a name means several objects; SourceError or KubeError when the source can show nothing
 */
export async function lookAt(
  source: FleetSource,
  goal: Goal,
  targets: readonly Target[],
  signal?: AbortSignal,
): Promise<Look> {
  const apart = await lookApart(source, goal, targets, signal)
  if (apart !== undefined) return apart
  const diagnosis = await diagnose(source, checksFor(goal), signal)
  return { members: judge(diagnosis, goal, targets), loaded: diagnosis }
}

/** Undefined where it takes the whole hub. */
async function lookApart(
  source: FleetSource,
  goal: Goal,
  targets: readonly Target[],
  signal: AbortSignal | undefined,
): Promise<Look | undefined> {
  if (goal.kind !== 'app' || targets.length > MOST_APART) return undefined
  const checks = checksFor(goal)
  const members: Member[] = []
  let first: LoadedFleet | undefined
  for (const target of targets) {
    const loaded = await loadForTrace(source, target, kindsOn('spoke', checks), signal)
    if (loaded === undefined) return undefined
    members.push(...judge(examine(loaded, checks), goal, [target]))
    first ??= loaded
  }
  return first === undefined ? undefined : { members: inOrder(members), loaded: first }
}
