import { condition } from '../fleet/joins/clusters.ts'
import type { Base, Condition } from '../fleet/records.ts'
import type { Subject } from '../fleet/subject.ts'
import type { Evidence } from './check.ts'

/** Messages of controllers that join one error per cluster grow with the fleet, and each of its findings may quote them. */
const LONGEST = 2000

/** A text as far as it is worth quoting. */
export function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** One fact about an object. */
export function fact(of: Base | Subject, path: string, value: string | number | boolean): Evidence {
  return { subject: 'meta' in of ? of.subject : of, path, value: cut(String(value)) }
}

/** A condition as evidence: `False (Reason): message`; `absent` where the object does not have it. */
export function conditionFact(of: Base & { readonly conditions: readonly Condition[] }, type: string): Evidence {
  const c = condition(of, type)
  return fact(of, `.status.conditions[${type}]`, c === undefined ? 'absent' : conditionText(c))
}

export function conditionText(c: Condition): string {
  const reason = c.reason === '' ? '' : ` (${c.reason})`
  return `${c.status}${reason}${c.message === '' ? '' : `: ${cut(c.message)}`}`
}

/** Names for a sentence: `a, b and 3 more`. */
export function names(list: readonly string[], most = 5): string {
  if (list.length === 0) return 'none'
  if (list.length <= most) return list.join(', ')
  return `${list.slice(0, most).join(', ')} and ${list.length - most} more`
}

/** `1 Application`, `2 Applications`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`
}

export const SECOND = 1000
export const MINUTE = 60 * SECOND

/** A span in words that a person reads at a glance: `40s`, `12m`, `3h`, `2d`; `an unknown time` where its start is not known. */
export function lasting(now: number, since: number | undefined): string {
  if (since === undefined) return 'an unknown time'
  const s = Math.max(0, Math.round((now - since) / SECOND))
  if (s < 120) return `${s}s`
  if (s < 7200) return `${Math.floor(s / 60)}m`
  if (s < 172800) return `${Math.floor(s / 3600)}h`
  return `${Math.floor(s / 86400)}d`
}

/** How long ago, e.g. `12m ago`. */
export function ago(now: number, then: number | undefined): string {
  return then === undefined ? 'at an unknown time' : `${lasting(now, then)} ago`
}

/** A time as evidence: RFC 3339, or `absent`. */
export function timeText(ms: number | undefined): string {
  return ms === undefined ? 'absent' : new Date(ms).toISOString()
}

/** Older than so many milliseconds; false where the time is not known. */
export function olderThan(now: number, then: number | undefined, ms: number): boolean {
  return then !== undefined && now - then > ms
}

/** A fix that is an object to create: the command, and the manifest that follows it on lines of its own. */
export function manifestFix(manifest: readonly string[]): string {
  return ['oc apply -f - on the hub with:', ...manifest.map(line => `  ${line}`)].join('\n')
}
