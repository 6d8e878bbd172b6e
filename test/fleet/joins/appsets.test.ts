import { expect, test } from 'vitest'
import { appSets, renderFor } from '../../../src/fleet/joins/appsets.ts'
import { recordedTyped } from '../../support/fleets.ts'
import { patched } from '../../support/patch.ts'
import { list } from './raw.ts'

test('joins an ApplicationSet with what its generator reads and with what it owns', async () => {
  const link = (await recordedTyped('mixed-healthy')).join(appSets).byKey.get('openshift-gitops/compliance-operator')
  const [generator] = link?.generators ?? []
  expect(link?.argoNamespace).toBe('openshift-gitops')
  expect(link?.owned.map(a => a.meta.name).sort()).toEqual(['compliance-operator-bm', 'compliance-operator-sno'])
  expect(generator?.configMap?.meta.name).toBe('acm-placement')
  expect(generator?.placementNames).toEqual(['production-clusters'])
  expect(generator?.placements.map(p => p.placement.meta.name)).toEqual(['production-clusters'])
  expect([...(generator?.clusters ?? [])]).toEqual(['bm', 'sno'])
})

test('a selector for a Placement that is not there finds no decision', async () => {
  const { byKey } = (await recordedTyped('appset-wrong-placement-label')).join(appSets)
  const [generator] = byKey.get('openshift-gitops/compliance-operator')?.generators ?? []
  expect(generator?.placementNames).toEqual(['production-cluster'])
  expect(generator?.placements).toEqual([])
  expect(generator?.decisions).toEqual([])
  // The Applications are kept when a generator fails.
  expect(byKey.get('openshift-gitops/compliance-operator')?.owned).toHaveLength(2)
})

test('an emptied decision leaves an ApplicationSet without clusters and Applications', async () => {
  const { byKey } = (await recordedTyped('push-binding-deleted')).join(appSets)
  const link = byKey.get('openshift-gitops/branding-pull')
  expect(link?.generators[0]?.decisions).toHaveLength(1)
  expect(link?.generators[0]?.clusters.size).toBe(0)
  expect(link?.owned).toEqual([])
})

test('reads ConfigMap and decisions where the controller is, whatever it is called', async () => {
  const link = (await recordedTyped('upstream-healthy')).join(appSets).byKey.get('argocd/signboard')
  expect(link?.argoNamespace).toBe('argocd')
  expect(link?.generators[0]?.configMap?.meta.name).toBe('ocm-placement-generator')
  expect(link?.generators[0]?.placementNames).toEqual(['edge'])
})

test('an owner of the same name and another uid owns nothing', async () => {
  const recreated = await patched('mixed-healthy', patch => {
    patch.set('hub/ApplicationSet/openshift-gitops/branding-pull', ['metadata', 'uid'], 'another')
  })
  const { byKey } = (await recreated.load()).fleet.join(appSets)
  expect(byKey.get('openshift-gitops/branding-pull')?.owned).toEqual([])
})

test('objects that were saved without their uid are owned by name', async () => {
  const saved = await patched('mixed-healthy', patch => {
    patch.unset('hub/ApplicationSet/openshift-gitops/branding-pull', ['metadata', 'uid'])
  })
  const { byKey } = (await saved.load()).fleet.join(appSets)
  const owned = byKey.get('openshift-gitops/branding-pull')?.owned.map(a => a.meta.name)
  expect(owned?.sort()).toEqual(['branding-bm', 'branding-sno'])
})

test('renders the Application that a template makes of a cluster', async () => {
  const fleet = await recordedTyped('mixed-push-and-pull-share-object')
  const { byKey } = fleet.join(appSets)
  const rendered = (set: string) => {
    const link = byKey.get(`openshift-gitops/${set}`)
    return link === undefined ? undefined : renderFor(fleet, link, 'bm')
  }
  expect(rendered('branding-pull')?.name).toBe('branding-bm')
  expect(rendered('branding-pull')?.namespace).toBe('openshift-gitops')
  // A Go template.
  expect(rendered('corporate-look')?.name).toBe('look-bm')
  expect(rendered('corporate-look')?.params.server).toBe(
    'https://cluster-proxy-addon-user.multicluster-engine.svc.cluster.local:9092/bm',
  )
})

test('does not render what more than one generator makes', async () => {
  const merged = await patched('mixed-healthy', patch => {
    const ref = 'hub/ApplicationSet/openshift-gitops/branding-pull'
    const [generator] = list(patch.edit(ref), 'spec', 'generators')
    patch.set(ref, ['spec', 'generators'], [{ matrix: { generators: [generator, { list: { elements: [{}] } }] } }])
  })
  const { fleet } = await merged.load()
  const link = fleet.join(appSets).byKey.get('openshift-gitops/branding-pull')
  expect(link?.generators[0]?.clusters.size).toBe(2)
  expect(link === undefined ? '' : renderFor(fleet, link, 'bm')).toBeUndefined()
})
