import { expect, test } from 'vitest'
import { clusters, isReporting } from '../../../src/fleet/joins/clusters.ts'
import { recordedTyped } from '../../support/fleets.ts'
import { patched } from '../../support/patch.ts'

test('tells the hub as its own managed cluster from the remote ones', async () => {
  const { byName, remote, localName } = (await recordedTyped('pull-healthy')).join(clusters)
  expect([...byName.keys()].sort()).toEqual(['bm', 'local-cluster', 'sno'])
  expect(remote.map(c => c.meta.name).sort()).toEqual(['bm', 'sno'])
  expect(localName).toBe('local-cluster')
})

test('knows the hub by its label when it has another name', async () => {
  const renamed = await patched('pull-healthy', patch => {
    patch.set('hub/ManagedCluster/local-cluster', ['metadata', 'name'], 'headquarters')
  })
  const { remote, localName } = (await renamed.load()).fleet.join(clusters)
  expect(localName).toBe('headquarters')
  expect(remote.map(c => c.meta.name).sort()).toEqual(['bm', 'sno'])
})

test('a label that says no wins over the name', async () => {
  const imported = await patched('pull-healthy', patch => {
    patch.set('hub/ManagedCluster/local-cluster', ['metadata', 'labels', 'local-cluster'], 'false')
  })
  const { remote, localName } = (await imported.load()).fleet.join(clusters)
  expect(localName).toBe('')
  expect(remote).toHaveLength(3)
})

test('a cluster reports while its lease is renewed', async () => {
  const healthy = (await recordedTyped('pull-healthy')).join(clusters).byName
  expect([...healthy.values()].map(isReporting)).toEqual([true, true, true])
  const outage = (await recordedTyped('pull-cluster-unknown-report-healthy')).join(clusters).byName
  expect([isReporting(outage.get('bm')), isReporting(outage.get('sno')), isReporting(undefined)]).toEqual([
    false,
    true,
    false,
  ])
})
