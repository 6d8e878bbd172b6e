import { FleetctlError, TimeoutError, UsageError } from '../../errors.ts'
import { sourceInfo } from '../../source-info.ts'
import type { Progress } from '../../ui/progress.ts'
import { blockersLine } from '../../wait/blockers-text.ts'
import type { Goal } from '../../wait/goals.ts'
import type { Target } from '../../wait/judge.ts'
import { lookAt } from '../../wait/look.ts'
import type { Member } from '../../wait/member.ts'
import { type Blocker, type WaitOutcome, type WaitResult, waitResult } from '../../wait/result.ts'
import { Tally, type Verdict } from '../../wait/verdict.ts'
import { type Call, openSource } from '../call.ts'
import { deadline } from '../deadline.ts'
import { type Looks, startLooks } from '../watching/looks.ts'
import { concernsOf, planOf } from '../watching/plans.ts'

export interface Asked {
  readonly goal: Goal
  readonly targets: readonly Target[]
  /** Milliseconds; 0 is no limit. */
  readonly timeoutMs: number
  readonly graceMs: number
  readonly failFast: boolean
  /** Milliseconds of --interval; undefined: the default. */
  readonly interval: number | undefined
}

interface Look {
  readonly members: readonly Member[]
  readonly source: WaitResult['source']
}

async function look(call: Call, { goal, targets }: Asked, signal: AbortSignal): Promise<Look> {
  const source = await openSource(call)
  const { members, loaded } = await lookAt(source, goal, targets, signal)
  return { members, source: sourceInfo(source, loaded) }
}

/** Judges a recording, which does not change, once. */
export async function judgeOnce(call: Call, asked: Asked, signal: AbortSignal): Promise<WaitResult> {
  const startedAt = Date.now()
  const { members, source } = await look(call, asked, signal)
  const verdict = new Tally(asked.goal.need, 0).look(members, startedAt)
  // What is not seen may hide what is needed; what is seen and does not hold is enough to say no.
  const others = members.filter(m => m.state !== 'unknown').length
  const unseen = members.length - others
  const isOpen = unseen > 0 && verdict.met + unseen >= verdict.required
  const outcome: WaitOutcome = verdict.isMet ? 'met' : isOpen ? 'unknown' : 'not-met'
  return waitResult({ ...asked, outcome, verdict, source, how: 'once', reads: 1, startedAt, finishedAt: Date.now() })
}

/** Reads a live fleet whenever it may have changed, until the goal is met, cannot be met any more, or the time is over. */
export async function waitLive(call: Call, asked: Asked, user: AbortSignal, progress: Progress): Promise<WaitResult> {
  const limit = deadline(user, asked.timeoutMs)
  const waiting = new Waiting(call, asked, limit.signal, progress)
  try {
    return await limit.race(waiting.run())
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error
    return waiting.result(waiting.hubError === undefined ? 'timeout' : 'unreachable')
  } finally {
    waiting.close()
    limit.stop()
  }
}

class Waiting {
  /** Why the hub could not be read the last time; undefined where it could. */
  hubError: FleetctlError | undefined
  readonly #call: Call
  readonly #asked: Asked
  readonly #signal: AbortSignal
  readonly #progress: Progress
  readonly #tally: Tally
  readonly #startedAt: number = Date.now()
  #looks: Looks | undefined
  #verdict: Verdict | undefined
  #source: WaitResult['source'] | undefined
  #reads = 0
  #told = ''
  #lostSince: number | undefined

  constructor(call: Call, asked: Asked, signal: AbortSignal, progress: Progress) {
    this.#call = call
    this.#asked = asked
    this.#signal = signal
    this.#progress = progress
    this.#tally = new Tally(asked.goal.need, asked.graceMs)
  }

  close(): void {
    this.#looks?.close()
  }

  result(outcome: WaitOutcome): WaitResult {
    return waitResult({
      goal: this.#asked.goal,
      targets: this.#asked.targets,
      outcome,
      message: this.hubError?.message ?? '',
      verdict: this.#verdict,
      source: this.#source,
      how: this.#looks?.how ?? 'watch',
      reads: this.#reads,
      startedAt: this.#startedAt,
      finishedAt: Date.now(),
    })
  }

  async run(): Promise<WaitResult> {
    const { goal, targets, interval, graceMs } = this.#asked
    const looks = await startLooks(this.#call, planOf(goal), interval, this.#signal, text => this.#progress.line(text))
    this.#looks = looks
    looks.watch.only(concernsOf(goal, targets))
    for (;;) {
      const from = Date.now()
      const outcome = await this.#lookAgain()
      if (outcome !== undefined) return this.result(outcome)
      await looks.next(Date.now() - from, graceMs > 0 ? graceMs : undefined)
      this.#signal.throwIfAborted()
    }
  }

  async #lookAgain(): Promise<WaitOutcome | undefined> {
    const { failFast, graceMs } = this.#asked
    try {
      const { members, source } = await look(this.#call, this.#asked, this.#signal)
      const now = Date.now()
      this.#reads++
      this.#source = source
      this.hubError = undefined
      this.#lostSince = undefined
      const verdict = this.#tally.look(members, now)
      this.#verdict = verdict
      this.#tell(verdict)
      if (verdict.isMet) return 'met'
      return failFast && verdict.isFailed ? 'failed' : undefined
    } catch (error) {
      this.#signal.throwIfAborted()
      // A hub that was never there is no hub that is gone for a moment.
      if (!(error instanceof FleetctlError) || error instanceof UsageError || this.#reads === 0) throw error
      this.hubError = error
      this.#lostSince ??= Date.now()
      this.#line(`the hub cannot be read: ${error.message}`)
      return failFast && Date.now() - this.#lostSince >= graceMs ? 'unreachable' : undefined
    }
  }

  #tell({ met, total, required, blockers, dipped, isMet }: Verdict): void {
    if (isMet) return
    const needed = required === total ? '' : ` (${required} needed)`
    const dips = dipped === 0 ? '' : `, ${dipped} of them within --grace`
    const open = blockers.flatMap((m): Blocker[] => (m.state === 'met' ? [] : [{ ...m, state: m.state, asOf: '' }]))
    this.#line(`waiting: ${met} of ${total} ${this.#asked.goal.name}${needed}${dips}; ${blockersLine(open)}`)
  }

  /** One line for each change of what is said. */
  #line(text: string): void {
    if (text !== this.#told) this.#progress.line(text)
    this.#told = text
  }
}
