import pLimit from 'p-limit'
import { KIND_NAMES, type KindName } from '../../src/fleet/kinds.ts'
import { compileSelector } from '../../src/fleet/placement/selector.ts'
import type { Discovery } from '../../src/kube/discovery.ts'
import type { ListOptions, Page } from '../../src/kube/list.ts'
import { PartReader } from '../../src/kube/part-reader.ts'
import { preferredResource, type Resource } from '../../src/kube/resource.ts'
import type { KubeTransport } from '../../src/kube/transport.ts'
import { textAt, textMap, valueAt } from '../../src/raw.ts'
import type { FleetSource, PartReading, SourceReport } from '../../src/source/source.ts'
import type { RecordedFleet, RecordedObject } from './fleets.ts'

/**
 * A recorded fleet that is read part by part, as a live hub is: the selectors that an API server would apply are applied to
 * the recorded objects. `requests` counts what would have been asked of the hub.
 */
export class RecordedParts implements FleetSource {
  readonly type = 'recording'
  readonly name: string
  requests: string[] = []
  readonly #fleet: RecordedFleet

  constructor(fleet: RecordedFleet) {
    this.#fleet = fleet
    this.name = fleet.name
  }

  read(): Promise<SourceReport> {
    throw new Error('the whole hub was read')
  }

  parts(): Promise<PartReading> {
    const { objects, report } = this.#fleet
    const hub = report.clusters.find(c => c.role === 'hub')
    if (hub === undefined) throw new Error('no hub')
    const recorded = (kind: KindName) => hub.coverage.get(kind) ?? hub.otherwise
    const discovery: Discovery = {
      serverVersion: hub.serverVersion ?? '',
      serverTime: 0,
      served: kind =>
        recorded(kind).state === 'not-served'
          ? { state: 'not-served' }
          : { state: 'served', resource: preferredResource(kind), verbs: ['get', 'list'] },
      versions: (group, plural) => definition(objects, group, plural).versions,
      kindName: (group, plural) => definition(objects, group, plural).kind,
    }
    this.requests = ['version', 'api', 'apis']
    let into: Parameters<PartReading['read']>[1] | undefined
    const reader = new PartReader({
      role: 'hub',
      transport: this.#transport(),
      discovery,
      wanted: new Set(KIND_NAMES),
      take: (kind, raw, where) => into?.object('hub', kind, raw, where),
      limit: pLimit(5),
      chunkSize: Number.POSITIVE_INFINITY,
      secrets: true,
      signal: undefined,
      onProgress: undefined,
    })
    const coverage = () =>
      new Map([...reader.coverage()].map(([kind, c]) => [kind, recorded(kind).state === 'read' ? c : recorded(kind)]))
    const now = (): SourceReport => ({
      ...report,
      clusters: [{ ...hub, coverage: coverage(), otherwise: { state: 'not-recorded', reason: 'not asked for' } }],
    })
    return Promise.resolve({
      read: async (parts, sink) => {
        into = sink
        await reader.read(parts)
      },
      narrow: (kind, scope) => reader.narrow(kind, scope),
      report: now,
      finish: (_, sink) => {
        const spokes = report.clusters.filter(c => c.role === 'spoke')
        for (const { cluster, kind, raw, where } of objects)
          if (cluster !== 'hub') sink.object(cluster, kind, raw, where)
        return Promise.resolve({ ...report, clusters: [...now().clusters, ...spokes] })
      },
      close: () => {},
    })
  }

  #transport(): KubeTransport {
    const find = (resource: Resource, { namespace, labelSelector, fieldSelector }: ListOptions): readonly unknown[] => {
      this.requests.push([resource.plural, namespace, labelSelector, fieldSelector].filter(Boolean).join(' '))
      const matches = selector(labelSelector ?? '')
      const name = /^metadata\.name=(.+)$/.exec(fieldSelector ?? '')?.[1]
      return this.#fleet.objects
        .filter(o => o.cluster === 'hub' && o.kind === resource.kind)
        .filter(o => namespace === undefined || valueAt(o.raw, 'metadata', 'namespace') === namespace)
        .filter(o => name === undefined || valueAt(o.raw, 'metadata', 'name') === name)
        .filter(o => matches(textMap(valueAt(o.raw, 'metadata', 'labels'))))
        .map(o => structuredClone(o.raw))
    }
    const refuse = (): never => {
      throw new Error('recordings are not written')
    }
    return {
      cluster: 'hub',
      async *list(resource, options, project) {
        yield* find(resource, options).map(project)
      },
      async *pages<T>(resource: Resource, options: ListOptions, project: (raw: unknown) => T): AsyncIterable<Page<T>> {
        yield { items: find(resource, options).map(project), remaining: 0, isCut: false, isRestart: false }
      },
      get: async (resource, name) =>
        find(resource, {
          ...(name.namespace === '' ? {} : { namespace: name.namespace }),
          fieldSelector: `metadata.name=${name.name}`,
        })[0] ?? {},
      apply: refuse,
      create: refuse,
      patch: refuse,
      jsonPatch: refuse,
      remove: refuse,
      review: refuse,
    }
  }
}

/** A label selector in its text form, as far as readers use it: `a=b`, `a`, `!a`. */
function selector(source: string): (labels: Readonly<Record<string, string>>) => boolean {
  const parts = source === '' ? [] : source.split(',')
  const equal = parts.filter(p => p.includes('=')).map(p => p.split('=') as [string, string])
  const rest = parts.filter(p => !p.includes('='))
  return compileSelector({
    matchLabels: Object.fromEntries(equal),
    matchExpressions: rest.map(p => ({
      key: p.replace(/^!/, ''),
      operator: p.startsWith('!') ? 'DoesNotExist' : 'Exists',
      values: [],
    })),
  })
}

function definition(objects: readonly RecordedObject[], group: string, plural: string) {
  const raw = objects.find(
    o => o.kind === 'CustomResourceDefinition' && valueAt(o.raw, 'metadata', 'name') === `${plural}.${group}`,
  )?.raw
  const versions = valueAt(raw, 'spec', 'versions')
  return {
    versions: Array.isArray(versions) ? versions.map(v => textAt(v, 'name')) : [],
    kind: textAt(raw, 'spec', 'names', 'kind'),
  }
}
