import { durationOf } from '../duration.ts'
import { UsageError } from '../errors.ts'

/**
 * The value of a flag that takes a span of time, in the grammar of kubectl; a bare number is seconds, 0 means no limit.
 *
 * @returns milliseconds
 * @throws UsageError that names the flag
 */
export function parseDuration(text: string, flag: string): number {
  const span = /^\d+$/.test(text) ? Number(text) * 1000 : durationOf(text)
  if (span === undefined)
    throw new UsageError(`invalid value "${text}" for ${flag}: expected a duration such as 30s, 5m or 1h30m`)
  return span
}
