import { Journal, listRuns, type Run } from './journal.ts'
import type { Plan } from './plan.ts'
import { sameValue } from './values.ts'

/** How a run stands. `superseded`: it stopped, and the same command did the rest later. `half-reverted`: so did taking it back. */
export const RUN_STATES = ['done', 'interrupted', 'superseded', 'half-reverted', 'reverted'] as const
export type RunState = (typeof RUN_STATES)[number]

/** State of a run, from its journal alone. */
export function runState(run: Run): RunState {
  if (run.isReverting || run.reverted.size > 0) {
    const isTaken = (step: number): boolean => (run.reverted.get(step) ?? 'failed') !== 'failed'
    return [...run.before.keys()].every(isTaken) ? 'reverted' : 'half-reverted'
  }
  if (run.isDone) return 'done'
  return run.supersededBy === undefined ? 'interrupted' : 'superseded'
}

/**
 * Notes in the journals of runs that stopped that the same command has done the rest, so that nobody goes on with them.
 *
 * @param plan plan that was carried out wholly
 * @param id its run; empty where nothing was left to write
 * @returns ids of those that had written something: taking all back takes them, too
 */
export function supersede(folder: string, plan: Plan, id: string, now: () => Date): readonly string[] {
  const { hub, name } = plan.target
  const stopped = listRuns(folder).filter(
    run =>
      run.id !== id &&
      runState(run) === 'interrupted' &&
      run.plan.target.hub === hub &&
      // Without an identity only the name is left to tell hubs apart.
      (hub !== '' || run.plan.target.name === name) &&
      sameValue(run.plan.command, plan.command),
  )
  for (const run of stopped) {
    const journal = Journal.resume(folder, run.id, now)
    journal.superseded(id)
    journal.close()
  }
  return stopped.filter(run => run.before.size > 0).map(run => run.id)
}
