import { createHash } from 'node:crypto'
import { OBJECT_COPIES } from '../fleet/labels.ts'
import { isObject, type RawObject } from '../raw.ts'

/** Are two JSON values the same, whatever the order of their keys? */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => sameValue(item, b[i]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && sameValue(a[key], b[key]))
}

/** Does `whole` hold everything that `part` says? Maps may hold more, lists may not. */
export function holds(whole: unknown, part: unknown): boolean {
  if (!isObject(part)) return sameValue(whole, part)
  return isObject(whole) && Object.entries(part).every(([key, value]) => holds(whole[key], value))
}

/** `over` laid on `base`: maps are merged, everything else is taken from `over`. */
export function merge(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) merged[key] = key in base ? merge(base[key], value) : value
  return merged
}

/** Set by the server in every object; none of it is anybody's wish. */
const SERVER_METADATA = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
])

/** An object without its status and without what a server sets: what somebody wants of it. */
export function wishOf(object: RawObject): RawObject {
  const { status: _, ...rest } = object
  if (!isObject(rest.metadata)) return rest
  const metadata: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(rest.metadata)) {
    if (SERVER_METADATA.has(key)) continue
    if (key !== 'annotations' || !isObject(value)) metadata[key] = value
    else {
      const kept = Object.entries(value).filter(([name]) => !OBJECT_COPIES.includes(name))
      if (kept.length > 0) metadata.annotations = Object.fromEntries(kept)
    }
  }
  return { ...rest, metadata }
}

/** JSON with sorted keys. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const keys = Object.keys(value).filter(key => value[key] !== undefined)
  return `{${keys
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
    .join(',')}}`
}

/** Tells whether anybody changed what they want of an object; a controller that only reports does not change it. */
export function fingerprint(object: RawObject): string {
  return createHash('sha256')
    .update(canonicalJson(wishOf(object)))
    .digest('hex')
    .slice(0, 16)
}
