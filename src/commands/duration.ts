import { UsageError } from '../errors.ts'

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/**
 * A span of time in the grammar of kubectl: `30s`, `5m`, `1h30m`, `500ms`; a bare number is seconds, 0 means no limit.
 *
 * @returns milliseconds
 * @throws UsageError that names the flag
 */
export function parseDuration(text: string, flag: string): number {
  if (/^\d+$/.test(text)) return Number(text) * 1000
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) {
    throw new UsageError(`invalid value "${text}" for ${flag}: expected a duration such as 30s, 5m or 1h30m`)
  }
  let total = 0
  for (const part of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) total += Number(part[1]) * (UNITS[part[2] ?? ''] ?? 0)
  return total
}
