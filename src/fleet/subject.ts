import { KINDS, type KindName } from './kinds.ts'

/**
 * An object of the chain by name. `cluster` is `hub` for the hub and the ManagedCluster's name for a spoke; `namespace` is
 * `''` for cluster-scoped kinds. Kinds that fleetctl does not read (a Job named in a message) are allowed.
 */
export interface Subject {
  readonly cluster: string
  readonly group: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  /** The object ought to exist and does not. */
  readonly missing?: true
}

/** A subject of a kind of the chain; the API group comes from the table of kinds. */
export function subject(cluster: string, kind: KindName, namespace: string, name: string): Subject {
  return { cluster, group: KINDS[kind].group, kind, namespace, name }
}

/** The same object, said to be absent. */
export function missing(of: Subject): Subject {
  return { ...of, missing: true }
}

/** Identity of a subject as a map key; whether it is missing does not count. */
export function subjectKey(s: Subject): string {
  // One flat text: put together with + its nine parts would be kept, in each of the many maps of such keys.
  return [s.cluster, s.group, s.kind, s.namespace, s.name].join('|')
}

/** `namespace/Kind/name` or `Kind/name`, followed by ` on <cluster>` for a spoke: how an object is named in text. */
export function subjectText(s: Subject): string {
  const place = s.cluster === 'hub' ? '' : ` on ${s.cluster}`
  return `${s.namespace === '' ? '' : `${s.namespace}/`}${s.kind}/${s.name}${place}`
}
