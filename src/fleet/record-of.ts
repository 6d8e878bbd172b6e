import type { Fleet } from './fleet.ts'
import { KINDS, type KindName } from './kinds.ts'
import type { Base } from './records.ts'
import type { Subject } from './subject.ts'

function isKind(kind: string): kind is KindName {
  return Object.hasOwn(KINDS, kind)
}

/** The record of a subject; undefined for one that is missing, was not read, or is of a kind that fleetctl does not read. */
export function recordOf(fleet: Fleet, { cluster, kind, namespace, name, missing }: Subject): Base | undefined {
  if (!isKind(kind) || missing === true) return undefined
  const view = cluster === 'hub' ? fleet.hub : fleet.spokes.get(cluster)
  return view?.of(kind).get(namespace, name)
}
