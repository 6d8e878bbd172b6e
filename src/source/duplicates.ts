import type { KindName } from '../fleet/kinds.ts'
import { getOrAdd } from '../fleet/maps.ts'
import { nameOf } from './objects.ts'

/**
 * An object that was seen before: `same` says the same again, `older` and `newer` compare resource versions, `other` is
 * another state of unknown age.
 */
type Repeat = 'same' | 'older' | 'newer' | 'other'

interface Seen {
  readonly resourceVersion: string
  readonly fingerprint: number | undefined
}

/** Where the resource version is all that is known, as in large files: nothing else is kept of each of 50,000 objects. */
type Kept = Seen | string

function seenOf(kept: Kept): Seen {
  return typeof kept === 'string' ? { resourceVersion: kept, fingerprint: undefined } : kept
}

/** Remembers which objects were read: by cluster, kind, namespace and name. */
export class Duplicates {
  readonly #seen = new Map<string, Map<KindName, Map<string, Map<string, Kept>>>>()

  /** Undefined for an object that is seen for the first time, or that has no name to know it by. */
  repeat(cluster: string, kind: KindName, raw: object, fingerprint: number | undefined): Repeat | undefined {
    const id = nameOf(kind, raw)
    if (id === undefined) return undefined
    const kinds = getOrAdd(this.#seen, cluster, () => new Map<KindName, Map<string, Map<string, Kept>>>())
    const namespaces = getOrAdd(kinds, kind, () => new Map<string, Map<string, Kept>>())
    const names = getOrAdd(namespaces, id.namespace, () => new Map<string, Kept>())
    const { name, resourceVersion } = id
    const now: Kept = fingerprint === undefined ? resourceVersion : { resourceVersion, fingerprint }
    const before = names.get(name)
    if (before === undefined) {
      names.set(name, now)
      return undefined
    }
    const repeat = compare(seenOf(before), seenOf(now))
    if (repeat === 'newer' || repeat === 'other') names.set(name, now)
    return repeat
  }
}

function compare(before: Seen, now: Seen): Repeat {
  if (before.fingerprint !== undefined && before.fingerprint === now.fingerprint) return 'same'
  const comparable = /^\d+$/.test(before.resourceVersion) && /^\d+$/.test(now.resourceVersion)
  const a = comparable ? BigInt(before.resourceVersion) : 0n
  const b = comparable ? BigInt(now.resourceVersion) : 0n
  if (a !== b) return a < b ? 'newer' : 'older'
  // Without fingerprints (large files) the resource version stands for the content.
  const unknown = before.fingerprint === undefined || now.fingerprint === undefined
  return unknown && before.resourceVersion !== '' && before.resourceVersion === now.resourceVersion ? 'same' : 'other'
}
