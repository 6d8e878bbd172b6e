const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * Age in its largest unit, as tables show it: `40s`, `3m`, `2h`, `5d`.
 *
 * @param now RFC 3339, the source's own time
 * @param since RFC 3339, or empty where nothing says
 * @returns `<unknown>` where one of the times is not given; `0s` for a time after `now` (clusters are read one after another)
 */
export function age(now: string, since: string): string {
  const elapsed = Date.parse(now) - Date.parse(since)
  return Number.isNaN(elapsed) ? '<unknown>' : duration(elapsed)
}

/** A span of milliseconds in its largest unit. */
export function duration(ms: number): string {
  const span = Math.max(0, ms)
  if (span < MINUTE) return `${Math.floor(span / SECOND)}s`
  if (span < HOUR) return `${Math.floor(span / MINUTE)}m`
  if (span < 2 * DAY) return `${Math.floor(span / HOUR)}h`
  return `${Math.floor(span / DAY)}d`
}
