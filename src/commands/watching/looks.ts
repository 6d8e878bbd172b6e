import type { FleetWatch, Unwatched, WatchPlan } from '../../kube/fleet-watch.ts'
import type { Call } from '../call.ts'
import { liveOptions } from '../live.ts'
import { type Pace, paceOf } from './pace.ts'

/** Decides when a live fleet is worth another look. */
export interface Looks {
  readonly watch: FleetWatch
  /** `watch` where every kind that matters is watched, `poll` where one of them can only be read again. */
  readonly how: 'watch' | 'poll'
  /** Waits until a change has settled, or until it is time. @param tookMs how long the last look took; `mostMs` bounds the wait */
  next(tookMs: number, mostMs?: number): Promise<void>
  close(): void
}

/** Long enough for a slow hub to let all watches stand; after it the first look is taken all the same. */
const READY_MS = 10_000

/**
 * Begins to watch the hub of the kubeconfig and the named spokes, and waits until the watches stand: what changes after the
 * first look is heard then. What may not be watched is said once, and read again after an interval.
 *
 * @param interval milliseconds of --interval; undefined: the default
 * @param say takes a line for people
 * @throws UsageError when the kubeconfig or a flag leads nowhere
 */
export async function startLooks(
  call: Call,
  plan: WatchPlan,
  interval: number | undefined,
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<Looks> {
  const { watchFleet } = await import('../../kube/fleet-watch.ts')
  const watch = watchFleet(await liveOptions(call), plan, signal)
  await watch.ready(READY_MS)
  const how = watch.unwatched.length > 0 ? 'poll' : 'watch'
  const pace = paceOf(how, interval)
  if (how === 'poll') say(`${unwatchedText(watch.unwatched)}; reading again every ${pace.intervalMs / 1000}s`)
  return {
    watch,
    how,
    next: (tookMs, mostMs = pace.intervalMs) => settled(watch, pace, tookMs, Math.min(mostMs, pace.intervalMs), signal),
    close: () => watch.close(),
  }
}

/** After a change: until it is quiet, but not for ever; and never so soon that reading is all that the server does. */
async function settled(
  watch: FleetWatch,
  pace: Pace,
  tookMs: number,
  mostMs: number,
  signal: AbortSignal,
): Promise<void> {
  const from = Date.now()
  const rest = pace.restMs(tookMs)
  if (!(await watch.changed(Math.max(rest, mostMs)))) return
  const until = Math.max(Date.now() + pace.longestSettleMs, from + rest)
  while (!signal.aborted) {
    const now = Date.now()
    if (now >= until) return
    const isEarly = now < from + rest
    const again = await watch.changed(isEarly ? from + rest - now : Math.min(pace.quietMs, until - now))
    if (!again && !isEarly) return
  }
}

function unwatchedText(unwatched: readonly Unwatched[]): string {
  const [first] = unwatched
  const more = unwatched.length > 1 ? ` (and ${unwatched.length - 1} more kinds)` : ''
  return `${first?.reason ?? ''}${more}`
}
