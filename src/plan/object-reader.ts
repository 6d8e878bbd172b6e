import { KIND_NAMES, type KindName, kindCalled } from '../fleet/kinds.ts'
import { type Subject, subject, subjectKey } from '../fleet/subject.ts'
import { isObject, type RawObject, textAt } from '../raw.ts'
import type { Coverage, FleetSource, ObjectSink, SourceReport } from '../source/source.ts'
import { wishOf } from './values.ts'

/** What is known of one object. */
export type Seen =
  | { readonly state: 'present'; readonly object: RawObject }
  | { readonly state: 'absent' }
  /** The cluster does not serve the kind. */
  | { readonly state: 'not-served' }
  /** It could not be read. */
  | { readonly state: 'unknown'; readonly reason: string }

/** Where a plan looks up the objects that it is about: a recording, or the API server itself. */
export interface ObjectReader {
  look(subject: Subject): Promise<Seen>
}

/** Kinds that a plan may write, and so wants to see whole. All of them are few or small, unlike Applications. */
export const WRITTEN_KINDS = [
  'ManagedClusterSet',
  'ManagedCluster',
  'ManagedClusterSetBinding',
  'Placement',
  'GitOpsCluster',
  'ApplicationSet',
  'AppProject',
  'ArgoCD',
  'ManagedServiceAccount',
  'ManagedClusterAddOn',
  'ClusterPermission',
  'Policy',
  'PlacementBinding',
  'Subscription',
  'Namespace',
  'Subscription',
] as const satisfies readonly KindName[]

export interface KeptSource {
  /** The same source; what is read through it of the written kinds is kept. */
  readonly source: FleetSource
  /** An object that was kept, at once. */
  kept(subject: Subject): RawObject | undefined
  /** Looks up what was kept; all is unknown until the source was read. */
  readonly reader: ObjectReader
}

/** A Secret without its data, and without the copies of it that clients leave: a plan touches only what is about it. */
function aboutSecret({ apiVersion, kind, metadata }: RawObject): RawObject {
  const { metadata: wished } = wishOf({ metadata })
  const uid = textAt(metadata, 'uid')
  return { apiVersion, kind, metadata: { ...(isObject(wished) ? wished : {}), uid } }
}

/**
 * Keeps the objects of the written kinds as they are, besides handing them on: the diff of a plan needs every field. Of
 * Secrets only the metadata are kept.
 *
 * @param kinds those that a plan may write
 */
export function keepObjects(source: FleetSource, kinds: Iterable<KindName> = WRITTEN_KINDS): KeptSource {
  const written = new Set<KindName>(kinds)
  const objects = new Map<string, RawObject>()
  let report: SourceReport | undefined

  const keep = (cluster: string, kind: KindName, raw: unknown): void => {
    if (!written.has(kind) || !isObject(raw)) return
    const namespace = textAt(raw, 'metadata', 'namespace')
    const name = textAt(raw, 'metadata', 'name')
    objects.set(subjectKey(subject(cluster, kind, namespace, name)), kind === 'Secret' ? aboutSecret(raw) : raw)
  }
  return {
    source: {
      type: source.type,
      name: source.name,
      async read(wanted, sink, signal) {
        report = await source.read(wanted, tee(sink, keep), signal)
        return report
      },
    },
    kept: of => objects.get(subjectKey(of)),
    reader: {
      async look(subject) {
        const object = objects.get(subjectKey(subject))
        if (object !== undefined) return { state: 'present', object }
        const isKept = KIND_NAMES.some(name => name === subject.kind && written.has(name))
        if (!isKept) return { state: 'unknown', reason: 'of its kind only what the checks need was kept' }
        const cluster = report?.clusters.find(c => c.name === subject.cluster)
        if (cluster === undefined) return { state: 'unknown', reason: `cluster ${subject.cluster} was not read` }
        const kind = kindCalled(subject.kind)
        return unseen((kind === undefined ? undefined : cluster.coverage.get(kind)) ?? cluster.otherwise)
      },
    },
  }
}

/** A tee: what is kept is also handed on, with the sink's own way of replacing where it has one. */
function tee(sink: ObjectSink, keep: (cluster: string, kind: KindName, raw: unknown) => void): ObjectSink {
  const { replace } = sink
  return {
    object(cluster, kind, raw, where) {
      keep(cluster, kind, raw)
      sink.object(cluster, kind, raw, where)
    },
    ...(replace === undefined
      ? {}
      : {
          replace(cluster: string, kind: KindName, raw: unknown, where: string) {
            keep(cluster, kind, raw)
            replace.call(sink, cluster, kind, raw, where)
          },
        }),
  }
}

/** What follows from not having seen an object. */
function unseen(coverage: Coverage): Seen {
  switch (coverage.state) {
    case 'not-served':
      return { state: 'not-served' }
    case 'read':
      return coverage.complete
        ? { state: 'absent' }
        : { state: 'unknown', reason: coverage.reason ?? 'its kind was read in part only' }
    default:
      return { state: 'unknown', reason: coverage.reason }
  }
}
