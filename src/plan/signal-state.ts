import { type RawObject, textAt, valueAt } from './object.ts'
import type { Seen } from './object-reader.ts'

/** Whether a signal is there; if not, what still blocks, one clause each. */
export type SignalState = { readonly holds: true } | { readonly holds: false; readonly blockers: readonly string[] }

export const HOLDS: SignalState = { holds: true }
export const blocked = (...blockers: readonly string[]): SignalState => ({ holds: false, blockers })

export function listAt(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  const list = valueAt(value, ...keys)
  return Array.isArray(list) ? list : []
}

export function conditionOf(object: RawObject, type: string): RawObject | undefined {
  const found = listAt(object, 'status', 'conditions').find(c => textAt(c, 'type') === type)
  return typeof found === 'object' && found !== null ? (found as RawObject) : undefined
}

export function conditionText(object: RawObject, type: string): string {
  const condition = conditionOf(object, type)
  if (condition === undefined) return `no condition ${type} yet`
  const message = textAt(condition, 'message')
  return `${type}=${textAt(condition, 'status')} (${textAt(condition, 'reason')})${message === '' ? '' : `: ${message}`}`
}

/** Why an object is not seen: an object that may not be read is not one that is not there. */
export function notSeen(seen: Seen, absent: string): string {
  return seen.state === 'unknown' ? seen.reason : absent
}
