import { isObject } from '../../src/raw.ts'
import { type RawObject, RecordedFleet, type RecordedObject } from '../support/fleets.ts'

/** Metadata that the API server keeps, or that nobody on the chain reads. */
const NOT_BROKEN = new Set([
  'managedFields',
  'resourceVersion',
  'uid',
  'generation',
  'creationTimestamp',
  'selfLink',
  'name',
  'namespace',
  'ownerReferences',
])

export interface Mutant {
  readonly object: RecordedObject
  /** `delete`, or the field that was changed. */
  readonly what: string
  readonly fleet: RecordedFleet
}

type Path = readonly (string | number)[]

function text(path: Path): string {
  return path.map(p => (typeof p === 'number' ? `[${p}]` : `.${p}`)).join('')
}

/** Every leaf of the parts that a person or a controller writes: labels, annotations, finalizers, spec, data, rules, conditions. */
function* leaves(value: unknown, path: Path, depth: number): Generator<{ path: Path; value: unknown }> {
  if (depth > 7) return
  if (Array.isArray(value)) {
    if (value.length > 0) yield { path, value }
    for (const [i, item] of value.slice(0, 3).entries()) yield* leaves(item, [...path, i], depth + 1)
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value))
      if (!(depth === 1 && path[0] === 'metadata' && NOT_BROKEN.has(key)))
        yield* leaves(item, [...path, key], depth + 1)
  } else if (value !== null && value !== undefined) yield { path, value }
}

function put(raw: RawObject, path: Path, value: unknown): RawObject {
  const copy = structuredClone(raw)
  let at: Record<string | number, unknown> = copy
  for (const step of path.slice(0, -1)) {
    const next = at[step]
    // Every step leads to an object or a list: the path was found by walking down.
    at = next as Record<string | number, unknown>
  }
  const last = path.at(-1) ?? ''
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

/** Text of a Secret is stored in base64: changed as it is, it would be no text any more. */
function changedText(value: string, encoded: boolean): string {
  return encoded ? Buffer.from(`${Buffer.from(value, 'base64').toString('utf8')}x`).toString('base64') : `${value}x`
}

/** What a value can become by a slip: gone, another one, its opposite. */
function changes(value: unknown, encoded: boolean): readonly (readonly [string, unknown])[] {
  if (typeof value === 'boolean') return [['flipped', !value]]
  if (typeof value === 'number') return [['one more', value + 1]]
  if (Array.isArray(value)) return [['emptied', []]]
  return [
    ['changed', changedText(String(value), encoded)],
    ['removed', undefined],
  ]
}

const PARTS = ['metadata', 'spec', 'data', 'rules', 'roleRef', 'subjects', 'statuses', 'placementRef'] as const

function fieldsOf(raw: RawObject): { path: Path; value: unknown }[] {
  const found: { path: Path; value: unknown }[] = []
  for (const part of PARTS) {
    for (const leaf of leaves(raw[part], [part], 1)) {
      const [, map, key] = leaf.path
      if (part === 'metadata' && (map === 'labels' || map === 'annotations') && !READ.test(String(key))) continue
      found.push(leaf)
    }
  }
  const status = isObject(raw.status) ? raw.status : {}
  const conditions = Array.isArray(status.conditions) ? status.conditions : []
  conditions.forEach((c: unknown, i) => {
    if (isObject(c) && (c.status === 'True' || c.status === 'False'))
      found.push({ path: ['status', 'conditions', i, 'status'], value: c.status })
  })
  return found
}

/** Labels and annotations that somebody on the chain reads; all others mean nothing to it. */
const READ =
  /open-cluster-management\.io|argocd|argoproj|^local-cluster$|^vendor$|app\.kubernetes\.io\/(component|part-of)$/

/** One broken copy of a fleet for each object that counts and each of its fields. */
export function* mutants(fleet: RecordedFleet, counts: (object: RecordedObject) => boolean): Generator<Mutant> {
  for (const [at, object] of fleet.objects.entries()) {
    if (!counts(object)) continue
    const without = fleet.objects.filter((_, i) => i !== at)
    yield { object, what: 'deleted', fleet: new RecordedFleet(fleet.name, without, fleet.report) }
    for (const { path, value } of fieldsOf(object.raw)) {
      const encoded = object.kind === 'Secret' && path[0] === 'data'
      const turned =
        path[0] === 'status' ? [['turned', value === 'True' ? 'False' : 'True'] as const] : changes(value, encoded)
      for (const [how, next] of turned) {
        const objects = [...fleet.objects]
        objects[at] = { ...object, raw: put(object.raw, path, next) }
        yield { object, what: `${text(path)} ${how}`, fleet: new RecordedFleet(fleet.name, objects, fleet.report) }
      }
    }
  }
}
