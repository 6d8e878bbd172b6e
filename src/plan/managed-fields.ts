import { isObject, type RawObject, textAt, valueAt } from '../raw.ts'
import { sameValue } from './values.ts'

/** FIELDS of a manager, as `managedFields` writes them (FieldsV1): `f:key`, `k:{…}` and `v:…` of lists, `.` for the thing itself. */
type FieldTree = RawObject

interface Manager {
  readonly name: string
  readonly operation: string
  readonly fields: FieldTree
}

/** Who wrote which fields of an object. Empty where the object came without managedFields: then nobody knows. */
function managersOf(object: RawObject): readonly Manager[] {
  const entries = valueAt(object, 'metadata', 'managedFields')
  if (!Array.isArray(entries)) return []
  return entries.flatMap(entry => {
    const fields = valueAt(entry, 'fieldsV1')
    // A subresource (status, scale) is not what anybody wants of the object.
    if (!isObject(fields) || textAt(entry, 'subresource') !== '') return []
    return { name: textAt(entry, 'manager'), operation: textAt(entry, 'operation'), fields }
  })
}

/** Names of everybody who owns any field of what is wanted of the object. */
export function managerNames(object: RawObject): readonly string[] {
  return [...new Set(managersOf(object).map(m => m.name))]
}

/** Maps that a server takes as one value, by kind: they are owned as a whole (`x-kubernetes-map-type: atomic`). */
const ATOMIC: Readonly<Record<string, readonly (readonly string[])[]>> = {
  GitOpsCluster: [['spec', 'placementRef']],
  ClusterPermission: [
    ['spec', 'clusterRoleBinding', 'roleRef'],
    ['spec', 'clusterRoleBinding', 'subject'],
  ],
}

/** Fields of a kind that are maps and count as one value. */
export function atomicMaps(kind: string): readonly (readonly string[])[] {
  return ATOMIC[kind] ?? []
}

/**
 * Does the tree own the value under the keys, or a part of it? A tree that ends above owns what lies below where that is one
 * value to the server; else it owns the bare map, which is left of a map of which everything else was taken over.
 */
function owns(tree: FieldTree, keys: readonly string[], kind: string): boolean {
  let at: FieldTree = tree
  for (const [i, key] of keys.entries()) {
    const next = at[`f:${key}`]
    if (!isObject(next)) return false
    if (Object.keys(next).length === 0) {
      return i === keys.length - 1 || atomicMaps(kind).some(map => sameValue(map, keys.slice(0, i + 1)))
    }
    at = next
  }
  // A map of which only the map itself is owned (`.`) may be changed inside by anybody.
  return Object.keys(at).some(key => key !== '.')
}

/** Managers besides `self` that own this very field. One that owns only a map above it may be left with the bare map. */
export function exactOwnersAt(object: RawObject, keys: readonly string[], self: string): readonly string[] {
  const hasField = (tree: FieldTree): boolean => {
    let at: FieldTree = tree
    for (const key of keys) {
      const next = at[`f:${key}`]
      if (!isObject(next)) return false
      at = next
    }
    return true
  }
  const others = managersOf(object).filter(m => m.name !== self && hasField(m.fields))
  return [...new Set(others.map(m => m.name))].sort()
}

/** Managers besides `self` that own a field: with another value for it, a server-side apply conflicts with them. */
export function ownersAt(object: RawObject, keys: readonly string[], self: string): readonly string[] {
  const isSelf = ({ name, operation }: Manager) => name === self && operation === 'Apply'
  const names = managersOf(object).filter(m => !isSelf(m) && owns(m.fields, keys, textAt(object, 'kind')))
  return [...new Set(names.map(m => m.name))].sort()
}

function itemOf(items: readonly unknown[], key: string): unknown {
  const wanted: unknown = JSON.parse(key.slice(2))
  if (key.startsWith('v:')) return items.find(item => sameValue(item, wanted))
  if (!isObject(wanted)) return undefined
  return items.find(item => isObject(item) && Object.entries(wanted).every(([k, v]) => sameValue(item[k], v)))
}

function extract(value: unknown, tree: FieldTree): unknown {
  const inner = Object.keys(tree).filter(key => key !== '.')
  if (inner.length === 0) return value
  if (Array.isArray(value)) {
    return inner.flatMap(key => {
      const item = itemOf(value, key)
      const below = tree[key]
      if (item === undefined || !isObject(below)) return []
      const part = extract(item, below)
      return key.startsWith('k:') && isObject(part) ? { ...JSON.parse(key.slice(2)), ...part } : part
    })
  }
  if (!isObject(value)) return undefined
  const part: Record<string, unknown> = {}
  for (const key of inner) {
    const name = key.slice(2)
    const below = tree[key]
    if (!key.startsWith('f:') || !isObject(below) || value[name] === undefined) continue
    part[name] = extract(value[name], below)
  }
  return part
}

/** The part of an object that a manager applied, as it is now: what its next apply must repeat or gives up. */
export function appliedBy(object: RawObject, manager: string): RawObject {
  const applied = managersOf(object).find(m => m.name === manager && m.operation === 'Apply')
  const part = applied === undefined ? {} : extract(object, applied.fields)
  return isObject(part) ? part : {}
}
