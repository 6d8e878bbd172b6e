import { expect, test } from 'vitest'
import { deliveredClusters } from '../../../src/fleet/joins/delivered.ts'
import { reconciled } from '../../../src/fleet/joins/reconciled.ts'
import { proxyService, ways } from '../../../src/fleet/joins/ways.ts'
import { subject, subjectKey } from '../../../src/fleet/subject.ts'
import { recordedTyped } from '../../support/fleets.ts'
import { patched } from '../../support/patch.ts'

const keys = (list: readonly { readonly key: string }[]) => list.map(w => w.key.replace('openshift-gitops/', '')).sort()

test('an Application is reached through every object that it depends on', async () => {
  const { through } = (await recordedTyped('mixed-healthy')).join(ways)
  const by = (...args: Parameters<typeof subject>) => keys(through(subjectKey(subject(...args))))
  const all = ['branding-bm', 'branding-sno', 'compliance-operator-bm', 'compliance-operator-sno']
  expect(by('hub', 'ManagedClusterSetBinding', 'openshift-gitops', 'production')).toEqual(all)
  expect(by('hub', 'Placement', 'openshift-gitops', 'production-clusters')).toEqual(all)
  expect(by('hub', 'GitOpsCluster', 'openshift-gitops', 'gitops-production')).toEqual(all)
  expect(by('hub', 'ConfigMap', 'openshift-gitops', 'acm-placement')).toEqual(all)
  expect(by('hub', 'ManagedCluster', '', 'bm')).toEqual(['branding-bm', 'compliance-operator-bm'])
  expect(by('hub', 'ApplicationSet', 'openshift-gitops', 'branding-pull')).toEqual(['branding-bm', 'branding-sno'])
  expect(by('hub', 'ManifestWork', 'sno', 'branding-sno-64cd5')).toEqual(['branding-sno'])
  expect(by('sno', 'Application', 'openshift-gitops', 'branding-sno')).toEqual(['branding-sno'])
  expect(by('hub', 'MulticlusterApplicationSetReport', 'openshift-gitops', 'branding-pull')).toEqual([
    'branding-bm',
    'branding-sno',
  ])
  // Only push goes through the proxy; but the secret of a cluster is what a generator looks for, in pull as well.
  expect(by('hub', 'Secret', 'openshift-gitops', 'bm-application-manager-cluster-secret')).toEqual([
    'branding-bm',
    'compliance-operator-bm',
  ])
  expect(by('hub', 'ConfigMap', 'openshift-gitops', 'argocd-cm')).toEqual([])
})

test('what ought to be there is a part of the way', async () => {
  const unwritten = await patched('mixed-healthy', patch => patch.remove('hub/ManifestWork/bm/branding-bm-49ce0'))
  const { through } = (await unwritten.load()).fleet.join(ways)
  expect(keys(through(subjectKey(subject('hub', 'ManifestWork', 'bm', 'branding-bm-49ce0'))))).toEqual(['branding-bm'])
})

test('knows the Service behind a URL in the cluster', () => {
  expect(proxyService('https://proxy.engine.svc.cluster.local:9092/bm')).toEqual([
    subject('hub', 'Service', 'engine', 'proxy'),
  ])
  expect(proxyService('https://api.bm.example.test:6443')).toEqual([])
})

test('knows the spokes that something is delivered to', async () => {
  const found = async (name: string) => [...(await recordedTyped(name)).join(deliveredClusters)]
  expect(await found('mixed-healthy')).toEqual(['bm', 'sno'])
  expect(await found('pull-standalone-healthy')).toEqual(['bm', 'sno'])
  expect(await found('agent-autonomous-healthy')).toEqual(['bm', 'sno'])
  expect(await found('push-binding-deleted')).toEqual([])
  // A target that is no managed cluster is none.
  expect(await found('pull-target-unknown-cluster')).toEqual(['bm', 'sno'])
  // By the server of a secret that was made by hand under another name.
  expect(await found('agent-hub-frozen-push')).toEqual(['bm', 'sno'])
})

test('says where each Application is reconciled, and by which hub Application it is meant', async () => {
  const show = async (name: string) =>
    (await recordedTyped(name))
      .join(reconciled)
      .map(
        r => `${r.app.meta.name} at ${r.at} for ${r.target}${r.copied ? ' (copied)' : ''} of ${r.hub?.app.meta.name}`,
      )
      .sort()
  expect(await show('mixed-healthy')).toEqual([
    'branding-bm at bm for bm of branding-bm',
    'branding-sno at sno for sno of branding-sno',
    'compliance-operator-bm at hub for bm of compliance-operator-bm',
    'compliance-operator-sno at hub for sno of compliance-operator-sno',
  ])
  expect(await show('agent-healthy')).toEqual([
    'branding-bottom-bm at bm for bm of branding-bottom-bm',
    'branding-bottom-sno at sno for sno of branding-bottom-sno',
  ])
  expect(await show('agent-autonomous-healthy')).toEqual([
    'branding-bm at bm for bm of branding-bm',
    'branding-sno at sno for sno of branding-sno',
  ])
})

test('the hub copy of an agent stands in for a spoke that was not read', async () => {
  const blind = await patched('agent-healthy', patch => patch.forget('bm'))
  const list = (await blind.load()).fleet.join(reconciled)
  expect(list.map(r => [r.app.meta.name, r.at, r.copied])).toEqual(
    expect.arrayContaining([
      ['branding-bottom-bm', 'hub', true],
      ['branding-bottom-sno', 'sno', false],
    ]),
  )
  // That of a pull Application has no texts and no resources, so nothing is said of it.
  const pull = await patched('pull-healthy', patch => patch.forget('bm'))
  expect((await pull.load()).fleet.join(reconciled).filter(r => r.target === 'bm')).toEqual([])
})

test('an Application without skip-reconcile is reconciled on the hub and on the spoke', async () => {
  const list = (await recordedTyped('pull-hub-reconciles-too')).join(reconciled)
  const places = new Map<string, string[]>()
  for (const r of list) places.set(r.app.meta.name, [...(places.get(r.app.meta.name) ?? []), r.at])
  expect([...places.values()].filter(at => at.includes('hub') && at.length === 2).length).toBeGreaterThan(0)
})
