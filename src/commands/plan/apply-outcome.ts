import { EXIT, type ExitCode } from '../../errors.ts'
import { oneLine } from '../../output/sanitize.ts'
import type { ApplyResult } from '../../plan/apply.ts'
import type { Journal, Run } from '../../plan/journal.ts'
import type { Plan, Step } from '../../plan/plan.ts'
import type { Delivered } from '../../plan/report.ts'
import type { Call } from '../call.ts'

/** What was written counts more than why it stopped. @param run the run that went on, if it did */
export function exitCodeOf({ results, stopped, isWritten, paused }: ApplyResult, run: Run | undefined): ExitCode {
  if (paused !== undefined) return EXIT.ok
  if (stopped?.cause === 'timeout') return EXIT.timeout
  if (stopped === undefined && isWritten) return EXIT.ok
  const wrote = results.some(r => r.outcome === 'created' || r.outcome === 'configured' || r.outcome === 'deleted')
  if (wrote || (run?.before.size ?? 0) > 0) return EXIT.partlyWritten
  return stopped?.isUnreachable === true ? EXIT.unreachable : EXIT.refused
}

/** Says what has not arrived though all is written. */
export function undelivered({ context }: Call, { applicationSet, blockers }: Delivered): void {
  const again = `${context.command} bootstrap verify ${applicationSet.namespace}/${applicationSet.name}`
  context.stderr.write(
    `everything is written, but not everything has arrived: ${oneLine(blockers.join('; '))}\nlook again: ${again}\n`,
  )
}

/** Says where a run stopped, why, and how to go on. */
export function explain(
  call: Call,
  plan: Plan,
  { stopped }: ApplyResult,
  journal: Journal | undefined,
  causes: readonly string[],
): void {
  const { stderr } = call.context
  if (stopped !== undefined) {
    const what = stopped.cause === 'timeout' ? 'waited in vain' : 'stopped'
    stderr.write(`${what} at step ${stopped.step.number}: ${stopped.text}\n`)
    for (const cause of causes) stderr.write(`cause: ${oneLine(cause)}\n`)
  } else stderr.write('some steps were left out\n')
  if (journal !== undefined) howToGoOn(call, plan, journal)
}

/** Says that a run pauses as it was asked to, and how to go on. */
export function paused(call: Call, plan: Plan, { number }: Step, journal: Journal | undefined): void {
  call.context.stderr.write(`paused after step ${number}\n`)
  if (journal !== undefined) howToGoOn(call, plan, journal)
}

/** The commands that go on with a run, and that take it back. */
export function waysOf(plan: Plan, id: string): { readonly on: string; readonly back: string } {
  return plan.title === 'agent enable'
    ? { on: `agent enable --resume ${id}`, back: `agent revert ${id}` }
    : { on: `apply --resume ${id}`, back: `plan revert ${id}` }
}

/** The two commands after a run that did not end. */
export function howToGoOn({ context }: Call, plan: Plan, { id, path }: Journal): void {
  const { stderr, command } = context
  const { on, back } = waysOf(plan, id)
  stderr.write(`journal: ${path}\ngo on: ${command} ${on}\ntake back: ${command} ${back}\n`)
}
