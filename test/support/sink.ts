import type { KindName } from '../../src/fleet/kinds.ts'
import type { ObjectSink } from '../../src/source/source.ts'

interface CollectedObject {
  readonly cluster: string
  readonly kind: KindName
  readonly namespace: string
  readonly name: string
  readonly raw: unknown
  readonly where: string
}

/** A sink that keeps everything, in the order of arrival. */
export class CollectingSink implements ObjectSink {
  readonly objects: CollectedObject[] = []
  readonly replaced: CollectedObject[] = []

  object(cluster: string, kind: KindName, raw: unknown, where: string): void {
    this.objects.push(collected(cluster, kind, raw, where))
  }

  replace(cluster: string, kind: KindName, raw: unknown, where: string): void {
    const next = collected(cluster, kind, raw, where)
    const at = this.objects.findIndex(o => keyOf(o) === keyOf(next))
    this.objects[at] = next
    this.replaced.push(next)
  }

  /** `kind namespace/name` of one cluster, sorted. */
  names(cluster: string, kind?: KindName): string[] {
    const own = this.objects.filter(o => o.cluster === cluster && (kind === undefined || o.kind === kind))
    return own.map(o => `${o.kind} ${o.namespace === '' ? '' : `${o.namespace}/`}${o.name}`).sort()
  }
}

function keyOf(o: CollectedObject): string {
  return `${o.cluster}|${o.kind}|${o.namespace}|${o.name}`
}

function collected(cluster: string, kind: KindName, raw: unknown, where: string): CollectedObject {
  const { namespace = '', name = '' } = metadataOf(raw)
  return { cluster, kind, namespace: String(namespace), name: String(name), raw, where }
}

function metadataOf(raw: unknown): { namespace?: unknown; name?: unknown } {
  if (typeof raw !== 'object' || raw === null || !('metadata' in raw)) return {}
  return typeof raw.metadata === 'object' && raw.metadata !== null ? raw.metadata : {}
}
