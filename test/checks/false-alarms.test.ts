import { describe, expect, test } from 'vitest'
import { runDoctor } from '../../src/doctor.ts'
import { KIND_NAMES } from '../../src/fleet/kinds.ts'
import { isObject } from '../../src/raw.ts'
import { readExpected, say } from '../support/expected.ts'
import { FLEET_NAMES, FLEETS, type RawObject, recorded } from '../support/fleets.ts'
import { type Patch, patchedFleet } from '../support/patch.ts'

/** What a healthy fleet may look like at another moment, or to somebody who sees less of it, without being broken. */
const HEALTHY = FLEET_NAMES.filter(name => readExpected(FLEETS, name).healthy)

const MINUTE = 60_000

async function errors(name: string, change: (patch: Patch) => void): Promise<string[]> {
  const { findings } = await runDoctor(patchedFleet(await recorded(name), change))
  return findings.filter(f => f.severity === 'error').map(f => `${f.code} ${f.slug} ${say(f.subject)}`)
}

function mapRaw(patch: Patch, change: (raw: RawObject) => void): void {
  patch.objects = patch.objects.map(object => {
    const raw = structuredClone(object.raw)
    change(raw)
    return { ...object, raw }
  })
}

/** Every object under a key, at any depth. */
function under(value: unknown, key: string): RawObject[] {
  if (Array.isArray(value)) return value.flatMap(item => under(item, key))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([k, v]) => [...(k === key && isObject(v) ? [v] : []), ...under(v, key)])
}

/** Checks that say that something stands still: after a quarter of an hour in which nothing happened they are right. */
const STALENESS = new Set(['FLT0207', 'FLT0413', 'FLT0520', 'FLT0808'])

describe.each(HEALTHY)('%s raises no error', name => {
  test('when it is looked at a little earlier or later', async () => {
    for (const ms of [-MINUTE, MINUTE / 2, 2 * MINUTE, 6 * MINUTE])
      expect(await errors(name, patch => patch.later(ms)), `${ms} ms later`).toEqual([])
  })

  test('when nothing has happened for long, but that nothing happens', async () => {
    for (const ms of [20 * MINUTE, 3 * 60 * MINUTE]) {
      const found = await errors(name, patch => patch.later(ms))
      expect(
        found.filter(text => !STALENESS.has(text.slice(0, 7))),
        `${ms} ms later`,
      ).toEqual([])
    }
  })

  test('when only the hub was read', async () => {
    const spokes = (await recorded(name)).report.clusters.filter(c => c.role === 'spoke')
    expect(await errors(name, patch => spokes.forEach(c => void patch.forget(c.name)))).toEqual([])
  })

  test('when any third of the kinds could not be read, or only in part', async () => {
    const { clusters } = (await recorded(name)).report
    for (let round = 0; round < 12; round++) {
      // Every third kind from a start of its own on each cluster, refused or shortened in turn.
      const left = (patch: Patch) => {
        for (const [c, cluster] of clusters.entries())
          for (const [k, kind] of KIND_NAMES.entries()) {
            if ((k * (round + 1) + c + round) % 3 !== 0) continue
            if (round % 2 === 0) patch.refuse(cluster.name, kind)
            else patch.shorten(cluster.name, kind, 'cut off')
          }
      }
      expect(await errors(name, left), `round ${round}`).toEqual([])
    }
  })

  test('when its objects were saved without uids, times of creation, Events, Pods and Leases', async () => {
    const bare = (key: string) => (patch: Patch) =>
      mapRaw(patch, raw => {
        for (const meta of under(raw, 'metadata')) delete meta[key]
      })
    expect(await errors(name, bare('creationTimestamp'))).toEqual([])
    expect(await errors(name, bare('uid'))).toEqual([])
    const gone = new Set(['Event', 'Pod', 'Lease'])
    const lessened = (patch: Patch) => {
      patch.objects = patch.objects.filter(o => !gone.has(o.kind))
    }
    expect(await errors(name, lessened)).toEqual([])
  })

  test('when a cluster has just joined and everything is on its way', async () => {
    const young = (patch: Patch) => {
      const now = patch.clusters[0]?.readAt ?? 0
      const since = new Date(now - 20_000).toISOString()
      const cluster = structuredClone(patch.edit('hub/ManagedCluster/bm'))
      for (const meta of under({ metadata: cluster.metadata }, 'metadata'))
        Object.assign(meta, { name: 'newcomer', uid: 'newcomer', creationTimestamp: since })
      const status = isObject(cluster.status) ? cluster.status : {}
      const conditions = Array.isArray(status.conditions) ? status.conditions : []
      status.conditions = conditions.map(c => ({ ...c, lastTransitionTime: since }))
      patch.add('hub', 'ManagedCluster', cluster)
      // The hub makes it as soon as the cluster is accepted.
      patch.add('hub', 'Namespace', { metadata: { name: 'newcomer' }, status: { phase: 'Active' } })
      mapRaw(patch, raw => {
        if (raw.kind !== 'PlacementDecision' || !isObject(raw.status)) return
        const decisions: unknown[] = Array.isArray(raw.status.decisions) ? raw.status.decisions : []
        if (decisions.some(d => isObject(d) && d.clusterName === 'bm'))
          raw.status.decisions = [...decisions, { clusterName: 'newcomer', reason: '' }]
      })
    }
    expect(await errors(name, young)).toEqual([])
  })

  test('when there are clusters, sets and generators that have nothing to do with it', async () => {
    const wider = (patch: Patch) => {
      const cluster = structuredClone(patch.edit('hub/ManagedCluster/bm'))
      for (const meta of under({ metadata: cluster.metadata }, 'metadata')) {
        Object.assign(meta, { name: 'elsewhere', uid: 'elsewhere' })
        if (isObject(meta.labels)) meta.labels['cluster.open-cluster-management.io/clusterset'] = 'elsewhere'
      }
      patch.add('hub', 'ManagedCluster', cluster)
      patch.add('hub', 'ManagedClusterSet', {
        metadata: { name: 'elsewhere' },
        spec: { clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } },
      })
      const set = patch.objects.find(o => o.cluster === 'hub' && o.kind === 'ApplicationSet')
      if (set === undefined) return
      const raw = structuredClone(set.raw)
      Object.assign(isObject(raw.metadata) ? raw.metadata : {}, { name: 'listed', uid: 'listed' })
      Object.assign(isObject(raw.spec) ? raw.spec : {}, { generators: [{ list: { elements: [] } }] })
      patch.add('hub', 'ApplicationSet', raw)
    }
    expect(await errors(name, wider)).toEqual([])
  })
})
