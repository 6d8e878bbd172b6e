import type { KindName } from '../../src/fleet/kinds.ts'
import { isObject } from '../../src/raw.ts'
import type { ClusterReport, Coverage } from '../../src/source/source.ts'
import { type RawObject, RecordedFleet, type RecordedObject, recorded } from './fleets.ts'

/** An object by `cluster/Kind/namespace/name`, or `cluster/Kind/name` where it has no namespace. */
export type ObjectRef = string

function refOf({ cluster, kind, raw }: RecordedObject): ObjectRef {
  const meta = isObject(raw.metadata) ? raw.metadata : {}
  return [cluster, kind, meta.namespace, meta.name].filter(part => part !== undefined).join('/')
}

/** The parent of the last step of a path, and that step; objects on the way are made where there are none. */
function walk(
  from: RawObject,
  path: readonly (string | number)[],
): { parent: RawObject | unknown[]; key: string | number } {
  let at: RawObject | unknown[] = from
  for (const [i, step] of path.entries()) {
    if (i === path.length - 1) return { parent: at, key: step }
    const next: unknown = Array.isArray(at) ? at[Number(step)] : at[step]
    if (isObject(next) || Array.isArray(next)) at = next
    else {
      const made: RawObject = {}
      if (Array.isArray(at)) at[Number(step)] = made
      else at[step] = made
      at = made
    }
  }
  throw new Error('an empty path')
}

/** Small changes of a recorded fleet. A change that hits nothing throws: such a test would test nothing. */
export class Patch {
  objects: RecordedObject[]
  clusters: ClusterReport[]
  readonly #copied = new Set<RawObject>()

  constructor(fleet: RecordedFleet) {
    this.objects = [...fleet.objects]
    this.clusters = [...fleet.report.clusters]
  }

  #index(ref: ObjectRef): number {
    const at = this.objects.findIndex(o => refOf(o) === ref)
    if (at < 0) throw new Error(`there is no ${ref} to change`)
    return at
  }

  /** A copy of the object that may be changed at will. */
  edit(ref: ObjectRef): RawObject {
    const at = this.#index(ref)
    const object = this.objects[at]
    if (object === undefined) throw new Error(`there is no ${ref}`)
    if (this.#copied.has(object.raw)) return object.raw
    const raw = structuredClone(object.raw)
    this.#copied.add(raw)
    this.objects[at] = { ...object, raw }
    return raw
  }

  set(ref: ObjectRef, path: readonly (string | number)[], value: unknown): void {
    const { parent, key } = walk(this.edit(ref), path)
    if (Array.isArray(parent)) parent[Number(key)] = value
    else parent[key] = value
  }

  unset(ref: ObjectRef, path: readonly (string | number)[]): void {
    const { parent, key } = walk(this.edit(ref), path)
    if (Array.isArray(parent)) parent.splice(Number(key), 1)
    else if (key in parent) delete parent[key]
    else throw new Error(`${ref} has no ${path.join('.')}`)
  }

  remove(ref: ObjectRef): void {
    this.objects.splice(this.#index(ref), 1)
  }

  removeAll(which: (object: RecordedObject) => boolean): void {
    const left = this.objects.filter(o => !which(o))
    if (left.length === this.objects.length) throw new Error('nothing to remove')
    this.objects = left
  }

  add(cluster: string, kind: KindName, raw: RawObject): void {
    this.objects.push({ cluster, kind, raw, where: 'added' })
  }

  #cover(cluster: string, kind: KindName, coverage: Coverage): void {
    const report = this.clusters.find(c => c.name === cluster)
    if (report === undefined) throw new Error(`there is no cluster ${cluster}`)
    const changed = { ...report, coverage: new Map(report.coverage).set(kind, coverage) }
    this.clusters = this.clusters.map(c => (c === report ? changed : c))
    this.objects = this.objects.filter(o => o.cluster !== cluster || o.kind !== kind)
  }

  /** The list of a kind was refused. */
  refuse(cluster: string, kind: KindName, reason = 'forbidden: list was refused'): void {
    this.#cover(cluster, kind, { state: 'refused', reason })
  }

  notServed(cluster: string, kind: KindName): void {
    this.#cover(cluster, kind, { state: 'not-served' })
  }

  /** Every other object of a kind could not be read. */
  shorten(cluster: string, kind: KindName, reason: string): void {
    const kept = this.objects.filter(o => o.cluster === cluster && o.kind === kind).filter((_, i) => i % 2 === 1)
    this.#cover(cluster, kind, { state: 'read', complete: false, reason })
    this.objects.push(...kept)
  }

  /** Nothing of the cluster was recorded. */
  forget(cluster: string): void {
    const left = this.clusters.filter(c => c.name !== cluster)
    if (left.length === this.clusters.length) throw new Error(`there is no cluster ${cluster}`)
    this.clusters = left
    this.objects = this.objects.filter(o => o.cluster !== cluster)
  }

  /** As if every cluster had been read so much later, and nothing had changed since. */
  later(ms: number): void {
    this.clusters = this.clusters.map(c => (c.readAt === undefined ? c : { ...c, readAt: c.readAt + ms }))
  }
}

/** The same fleet with a small change; the fleet itself stays as it is. */
export function patchedFleet(fleet: RecordedFleet, change: (patch: Patch) => void): RecordedFleet {
  const patch = new Patch(fleet)
  change(patch)
  return new RecordedFleet(fleet.name, patch.objects, { ...fleet.report, clusters: patch.clusters })
}

/** A recorded fleet with a small change. */
export async function patched(name: string, change: (patch: Patch) => void): Promise<RecordedFleet> {
  return patchedFleet(await recorded(name), change)
}
