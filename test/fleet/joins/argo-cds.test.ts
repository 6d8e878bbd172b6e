import { expect, test } from 'vitest'
import { principals } from '../../../src/fleet/joins/agents.ts'
import { argoNamespaces } from '../../../src/fleet/joins/argo-namespaces.ts'
import { flavour } from '../../../src/fleet/joins/flavour.ts'
import { covers, globMatches, spokeArgo } from '../../../src/fleet/joins/spoke-argo.ts'
import { recordedTyped } from '../../support/fleets.ts'
import { patched } from '../../support/patch.ts'

test('finds where Argo CD lives on the hub, whatever the namespace is called', async () => {
  const found = async (name: string) => [...(await recordedTyped(name)).join(argoNamespaces)].sort()
  expect(await found('pull-healthy')).toEqual(['openshift-gitops'])
  expect(await found('agent-healthy')).toEqual(['openshift-gitops'])
  expect(await found('upstream-healthy')).toEqual(['argocd'])
  // Standalone Applications and Placements of a team lie elsewhere.
  expect(await found('pull-standalone-healthy')).toEqual(['openshift-gitops'])
})

test('tells the integrations of the hub apart', async () => {
  const found = async (name: string) => (await recordedTyped(name)).join(flavour)
  expect(await found('pull-healthy')).toBe('acm')
  expect(await found('acm-2.14-healthy')).toBe('acm')
  expect(await found('push-healthy')).toBe('acm')
  expect(await found('agent-healthy')).toBe('acm')
  expect(await found('upstream-healthy')).toBe('upstream')
})

test('a hub without Open Cluster Management has no integration', async () => {
  const bare = await patched('upstream-healthy', patch => {
    patch.removeAll(o => o.cluster === 'hub' && (o.kind === 'ManagedCluster' || o.kind === 'CustomResourceDefinition'))
  })
  expect((await bare.load()).fleet.join(flavour)).toBe('none')
})

test('finds the principal and its agents', async () => {
  const [principal, ...others] = (await recordedTyped('agent-healthy')).join(principals)
  expect(others).toEqual([])
  expect(principal?.argo.meta.name).toBe('openshift-gitops')
  expect(principal?.settings.destinationBasedMapping).toBe(true)
  expect(principal?.settings.allowedNamespaces).toEqual(['*'])
  expect([...(principal?.agents.keys() ?? [])].sort()).toEqual(['bm', 'sno'])
  expect((await recordedTyped('agent-dbm-off-on-hub')).join(principals)[0]?.settings.destinationBasedMapping).toBe(
    false,
  )
  expect((await recordedTyped('pull-healthy')).join(principals)).toEqual([])
})

test('finds where Argo CD lives on the spokes and what it watches', async () => {
  const argo = (await recordedTyped('pull-app-namespace-unwatched')).join(spokeArgo).get('bm')
  expect([...(argo?.namespaces ?? [])]).toEqual(['openshift-gitops'])
  expect(covers(argo?.watched ?? [], 'openshift-gitops')).toBe(true)
  // Applications arrive there, and nobody looks at them.
  expect(covers(argo?.watched ?? [], 'argocd-apps')).toBe(false)
  expect(argo?.installed).toBe(true)
})

test('knows a spoke without Argo CD', async () => {
  const { byName, fleet } = await recordedTyped('pull-argocd-not-installed-on-spoke').then(f => ({
    byName: f.join(spokeArgo),
    fleet: f,
  }))
  const without = [...byName].filter(([, argo]) => !argo.installed).map(([name]) => name)
  expect(without).toHaveLength(1)
  expect(fleet.spokes.get(without[0] ?? '')?.of('Application').all).toEqual([])
})

test('matches namespaces as Argo CD does', () => {
  expect(globMatches('team-*', 'team-a')).toBe(true)
  expect(globMatches('team-?', 'team-ab')).toBe(false)
  expect(globMatches('a.b', 'axb')).toBe(false)
  expect(globMatches('*', '')).toBe(true)
  expect(covers(['team-*', 'argocd'], 'argocd')).toBe(true)
  expect(covers([], 'argocd')).toBe(false)
})
