import type { KindName } from '../../../src/fleet/kinds.ts'
import type { RawObject, RecordedFleet } from '../../support/fleets.ts'

/** Reading of the recorded objects that owes nothing to the projections: for expectations over all fleets. */
export function rawOf(fleet: RecordedFleet, cluster: string, kind: KindName): readonly RawObject[] {
  return fleet.objects.filter(o => o.cluster === cluster && o.kind === kind).map(o => o.raw)
}

/** The value at a path, or undefined where the way ends. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here: unknown = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = Reflect.get(here, step)
  }
  return here
}

export function text(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path)
  return found === undefined || found === null ? '' : String(found)
}

export function list(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** `namespace/name`. */
export function keyOf(raw: unknown): string {
  return `${text(raw, 'metadata', 'namespace')}/${text(raw, 'metadata', 'name')}`
}

/** A value of a Secret in clear text. */
export function decoded(raw: unknown, key: string): string {
  return Buffer.from(text(raw, 'data', key), 'base64').toString()
}
