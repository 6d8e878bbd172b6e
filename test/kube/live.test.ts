import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClusterView, Fleet } from '../../src/fleet/fleet.ts'
import { KIND_NAMES, type KindName } from '../../src/fleet/kinds.ts'
import { type LoadedFleet, loadFleet } from '../../src/fleet/load.ts'
import type { Base } from '../../src/fleet/records.ts'
import { openPath } from '../../src/source/open.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { recordedFleet } from '../support/fleets.ts'
import { liveSource } from '../support/live.ts'
import { loadFleet as loadIntoServers } from '../support/load-fleet.ts'

const ALL: ReadonlySet<KindName> = new Set(KIND_NAMES)

/** Kinds that are read only where they matter: the recording holds more of them. */
const PARTLY = new Set<KindName>([
  'Secret',
  'ConfigMap',
  'Service',
  'ServiceAccount',
  'Role',
  'RoleBinding',
  'Event',
  'Pod',
  'Route',
  'Lease',
])
/** Made by the server itself, or anew for the test: same names, other metadata; recordings leave `system:` RBAC out. */
const SERVER_MADE = new Set<KindName>(['CustomResourceDefinition', 'ClusterRole', 'ClusterRoleBinding', 'Event'])

let servers: ApiServers
beforeAll(async () => {
  if (!hasApiServer) return
  const users = [{ name: 'nobody' }, { name: 'reader' }, { name: 'beside' }]
  servers = await startApiServers({ clusters: ['hub', 'bm', 'sno'], users })
}, START_TIMEOUT_MS)
afterAll(() => servers?.stop())

function view(fleet: Fleet, cluster: string): ClusterView {
  const found = cluster === 'hub' ? fleet.hub : fleet.spokes.get(cluster)
  if (found === undefined) throw new Error(`${cluster} was not read`)
  return found
}

function byName(cluster: ClusterView, kind: KindName): ReadonlyMap<string, Base> {
  return new Map(cluster.of(kind).all.map(record => [`${record.meta.namespace}/${record.meta.name}`, record]))
}

function coverageOf(loaded: LoadedFleet, cluster: string, kind: KindName): unknown {
  return view(loaded.fleet, cluster).coverage(kind)
}

describeWithApiServer('a live fleet', () => {
  // The one with other definitions is the last: it takes long until a server has let go of them.
  describe.each(['pull-healthy', 'pull-rbac-forbidden-retrying', 'mixed-healthy', 'agent-healthy', 'upstream-healthy'])(
    '%s',
    name => {
      let live: LoadedFleet
      let recorded: LoadedFleet
      let marks: ReadonlyMap<string, number>
      beforeAll(async () => {
        await loadIntoServers(servers.servers, recordedFleet(name))
        marks = new Map(await Promise.all([...servers.servers].map(async ([n, s]) => [n, await s.mark()] as const)))
        live = await loadFleet(liveSource(servers, ['bm', 'sno']), ALL)
        recorded = await loadFleet(await openPath(recordedFleet(name), {}), ALL)
      })

      it.each(['hub', 'bm', 'sno'])('gives the records of the recording: %s', cluster => {
        for (const kind of KIND_NAMES) {
          if (SERVER_MADE.has(kind)) continue
          const isThere = byName(view(live.fleet, cluster), kind)
          const was = byName(view(recorded.fleet, cluster), kind)
          if (!PARTLY.has(kind) && coverageOf(live, cluster, kind) !== undefined && isRead(live, cluster, kind)) {
            expect([...isThere.keys()].sort(), kind).toEqual([...was.keys()].sort())
          }
          for (const [key, record] of isThere) {
            const before = was.get(key)
            expect(before, `${kind} ${key} is in the recording`).toBeDefined()
            // Of Secrets and ConfigMaps whose content nobody needs only the metadata are read.
            if (isBare(record)) expect(record.meta).toEqual(before?.meta)
            else expect(withoutStandIn(record)).toEqual(withoutStandIn(before))
          }
        }
      })

      it('knows the versions of the kinds that are served', () => {
        const definitions = (loaded: LoadedFleet, cluster: string): unknown =>
          view(loaded.fleet, cluster)
            .of('CustomResourceDefinition')
            .all.map(d => [d.meta.name, d.group, d.kind, d.plural, [...d.versions].sort()])
            .sort()
        for (const cluster of ['hub', 'bm']) expect(definitions(live, cluster)).toEqual(definitions(recorded, cluster))
      })

      it('knows which kinds are not served', () => {
        for (const cluster of ['hub', 'bm', 'sno']) {
          for (const kind of KIND_NAMES) {
            const isServed = view(recorded.fleet, cluster).serves(kind)
            expect(view(live.fleet, cluster).serves(kind), `${cluster} ${kind}`).toBe(isServed)
          }
        }
      })

      it('writes nothing, and reads Secrets beside Argo CD only', async () => {
        for (const [cluster, server] of servers.servers) {
          const events = await server.audit(marks.get(cluster))
          expect(events.length).toBeGreaterThan(10)
          expect(events.filter(e => !['get', 'list'].includes(e.verb))).toEqual([])
          const namespaces = new Set(events.filter(e => e.resource === 'secrets').map(e => e.namespace))
          expect([...namespaces]).toEqual([name === 'upstream-healthy' ? 'argocd' : 'openshift-gitops'])
          const lists = events.filter(e => e.verb === 'list' && e.status === 200).map(e => e.uri)
          expect(new Set(lists).size, 'no list is read twice').toBe(lists.length)
        }
      })
    },
  )
})

function isRead(loaded: LoadedFleet, cluster: string, kind: KindName): boolean {
  return view(loaded.fleet, cluster).coverage(kind).state === 'read'
}

function isBare(record: object): boolean {
  const content = 'keys' in record ? record.keys : 'data' in record ? record.data : undefined
  return typeof content === 'object' && content !== null && Object.keys(content).length === 0
}

/** Recordings have a canary in the place of certificates, which is none, so that nothing of it is kept. */
function withoutStandIn(record: object | undefined): unknown {
  return record !== undefined && 'certificate' in record ? { ...record, certificate: undefined } : record
}
