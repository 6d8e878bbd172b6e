import { isObject, type RawObject, valueAt, withValueAt } from '../raw.ts'
import { appliedBy, ownersAt } from './managed-fields.ts'
import type { Manifest } from './object.ts'
import { sameValue } from './values.ts'

/** Name under which fleetctl owns the fields that it applies. */
export const FIELD_MANAGER = 'fleetctl'

/** One field that a step changes. */
export interface FieldChange {
  /** `.spec.tolerations`, `.metadata.labels["a/b"]`. */
  readonly path: string
  readonly keys: readonly string[]
  readonly change: 'add' | 'change' | 'remove'
  /** Absent for `add`. */
  readonly from?: unknown
  /** Absent for `remove`. */
  readonly to?: unknown
  /** Field managers that own the field with another value: a change takes it from them. */
  readonly owners: readonly string[]
}

/** A path as kubectl's jsonpath writes it. */
function pathText(keys: readonly string[]): string {
  return keys.map(key => (/^[A-Za-z][\w-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join('')
}

const IDENTITY = new Set(['apiVersion', 'kind', 'metadata.name', 'metadata.namespace'])

/**
 * What an apply of the manifest would change: its fields that the object does not have or has otherwise, and fields that
 * fleetctl applied before and does not want any more. Lists count as one value, as server-side apply takes those of the
 * chain's kinds.
 */
export function fieldChanges(manifest: Manifest, actual: RawObject): readonly FieldChange[] {
  const changes: FieldChange[] = []
  compare(manifest, actual, [], actual, changes)
  dropped(appliedBy(actual, FIELD_MANAGER), manifest, [], actual, changes)
  return changes
}

/**
 * What a patch would change: its fields that the object does not have or has otherwise, and the fields that are to go,
 * whoever put them there. A server-side apply could not take fields of others away.
 */
function patchChanges(
  manifest: Manifest,
  removes: readonly (readonly string[])[],
  actual: RawObject,
): readonly FieldChange[] {
  const changes: FieldChange[] = []
  compare(manifest, actual, [], actual, changes)
  for (const keys of removes) {
    const from = valueAt(actual, ...keys)
    if (from !== undefined) changes.push({ path: pathText(keys), keys, change: 'remove', from, owners: [] })
  }
  // Nobody keeps a patch from changing a field: it takes it over.
  return changes.map(change => ({ ...change, owners: [] }))
}

/** What a step would change of the object that is there. */
export function stepChanges(
  step: { readonly manifest: Manifest; readonly removes?: readonly (readonly string[])[] },
  actual: RawObject,
): readonly FieldChange[] {
  return step.removes === undefined
    ? fieldChanges(step.manifest, actual)
    : patchChanges(step.manifest, step.removes, actual)
}

/** A merge patch that sets and removes what the changes say; `back` undoes them. */
export function mergePatch(changes: readonly FieldChange[], back = false): RawObject {
  let patch: unknown = {}
  for (const { keys, from, to } of changes) patch = withValueAt(patch, keys, (back ? from : to) ?? null)
  return isObject(patch) ? patch : {}
}

function compare(
  wanted: unknown,
  actual: unknown,
  keys: readonly string[],
  object: RawObject,
  into: FieldChange[],
): void {
  if (IDENTITY.has(keys.join('.'))) return
  if (isObject(wanted) && isObject(actual)) {
    for (const [key, value] of Object.entries(wanted)) compare(value, actual[key], [...keys, key], object, into)
    return
  }
  if (wanted === undefined || sameValue(wanted, actual)) return
  const place = { path: pathText(keys), keys, owners: ownersAt(object, keys, FIELD_MANAGER) }
  if (actual === undefined) into.push({ ...place, change: 'add', to: wanted })
  else into.push({ ...place, change: 'change', from: actual, to: wanted })
}

/** Fields that only fleetctl applied, and that the manifest leaves out: an apply removes them. */
function dropped(
  applied: unknown,
  wanted: unknown,
  keys: readonly string[],
  object: RawObject,
  into: FieldChange[],
): void {
  if (IDENTITY.has(keys.join('.')) || applied === undefined) return
  if (isObject(applied) && (isObject(wanted) || Object.keys(applied).length > 0)) {
    for (const [key, value] of Object.entries(applied)) {
      dropped(value, isObject(wanted) ? wanted[key] : undefined, [...keys, key], object, into)
    }
    return
  }
  if (wanted !== undefined || ownersAt(object, keys, FIELD_MANAGER).length > 0) return
  into.push({ path: pathText(keys), keys, change: 'remove', from: applied, owners: [] })
}
