/** How often a fleet is read again, in milliseconds. */
export interface Pace {
  /** It is read again at the latest after this time, for what is not watched and for what only time brings. */
  readonly intervalMs: number
  /** A burst of changes is over after so much silence. */
  readonly quietMs: number
  /** A burst is not waited for longer than this. */
  readonly longestSettleMs: number
  /** Time between two looks, however much changes: at most a quarter of the time is spent reading. */
  restMs(tookMs: number): number
}

const WATCH_INTERVAL_MS = 60_000
const POLL_INTERVAL_MS = 15_000
const LEAST_REST_MS = 1_000

/** @param interval what --interval says; undefined: a minute where all is watched, 15 seconds where something is not */
export function paceOf(how: 'watch' | 'poll', interval: number | undefined): Pace {
  const intervalMs = interval ?? (how === 'watch' ? WATCH_INTERVAL_MS : POLL_INTERVAL_MS)
  return {
    intervalMs,
    quietMs: 300,
    longestSettleMs: 2_000,
    restMs: tookMs => Math.max(LEAST_REST_MS, 3 * tookMs),
  }
}
