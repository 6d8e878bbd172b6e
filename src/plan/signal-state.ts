import { isObject, listAt, type RawObject, textAt } from '../raw.ts'
import type { Seen } from './object-reader.ts'

/** Whether a signal is there; if not, what still blocks, one clause each. */
export type SignalState = { readonly holds: true } | { readonly holds: false; readonly blockers: readonly string[] }

export const HOLDS: SignalState = { holds: true }
export const blocked = (...blockers: readonly string[]): SignalState => ({ holds: false, blockers })

/** The condition of a type of a raw object; undefined where it has none. */
export function conditionOf(object: RawObject, type: string): RawObject | undefined {
  const found = listAt(object, 'status', 'conditions').find(c => textAt(c, 'type') === type)
  return isObject(found) ? found : undefined
}

/** A condition as a clause that says what still blocks. */
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
