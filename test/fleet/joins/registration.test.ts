import { expect, test } from 'vitest'
import { clusterSecrets, isAcm, isAgentSecret, isBlank, registration } from '../../../src/fleet/joins/registration.ts'
import { recordedTyped } from '../../support/fleets.ts'

const PROXY = 'https://cluster-proxy-addon-user.multicluster-engine.svc.cluster.local:9092'

test('joins a GitOpsCluster with its Placement, its Argo CD and the clusters it registers', async () => {
  const { byKey, of } = (await recordedTyped('pull-healthy')).join(registration)
  const r = byKey.get('openshift-gitops/gitops-production')
  expect(r?.argoNamespace).toBe('openshift-gitops')
  expect(r?.decided?.placement.meta.name).toBe('production-clusters')
  expect(r?.msa).toBe('application-manager')
  expect(r?.writes).toBe('real')
  expect([...of.keys()].sort()).toEqual(['openshift-gitops/bm', 'openshift-gitops/sno'])
})

test('knows what kind of secrets a GitOpsCluster writes', async () => {
  const writes = async (fleet: string, key: string) =>
    (await recordedTyped(fleet)).join(registration).byKey.get(`openshift-gitops/${key}`)?.writes
  expect(await writes('agent-healthy', 'gitops-agent-clusters')).toBe('agent')
  expect(await writes('pull-healthy-blank-secrets', 'stores')).toBe('blank')
  expect(await writes('two-gitopsclusters-blank-wins', 'metal-pull')).toBe('blank')
  expect(await writes('two-gitopsclusters-blank-wins', 'emea-push')).toBe('real')
})

test('two GitOpsClusters may register one cluster', async () => {
  const { of } = (await recordedTyped('two-gitopsclusters-blank-wins')).join(registration)
  const names = (key: string) => of.get(key)?.map(r => r.goc.meta.name)
  expect(names('openshift-gitops/bm')).toEqual(['emea-push', 'metal-pull'])
  expect(names('openshift-gitops/sno')).toEqual(['emea-push'])
})

test('a reference to anything but a Placement decides nothing', async () => {
  const wrongKind = (await recordedTyped('goc-placementref-kind')).join(registration)
  expect(wrongKind.byKey.get('openshift-gitops/emea-push')?.decided).toBeUndefined()
  expect(wrongKind.of.size).toBe(0)
  const gone = (await recordedTyped('placement-deleted')).join(registration)
  expect(gone.byKey.get('openshift-gitops/emea-push')?.decided).toBeUndefined()
})

test('finds cluster secrets by name and by server', async () => {
  const { byName, byServer, all } = (await recordedTyped('pull-healthy')).join(clusterSecrets)
  expect(all).toHaveLength(2)
  expect(byName.get('openshift-gitops/bm')?.map(s => s.meta.name)).toEqual(['bm-application-manager-cluster-secret'])
  expect(byServer.get(`openshift-gitops/${PROXY}/sno`)?.map(s => s.meta.name)).toEqual([
    'sno-application-manager-cluster-secret',
  ])
})

test('a secret made by hand stands beside that of ACM', async () => {
  const { byName } = (await recordedTyped('foreign-cluster-secret')).join(clusterSecrets)
  const bm = byName.get('openshift-gitops/bm') ?? []
  expect(bm.map(s => [s.meta.name, isAcm(s), s.cluster.server])).toEqual([
    ['bare-metal-by-hand', false, 'https://api.bm.example.test:16444'],
    ['bm-application-manager-cluster-secret', true, `${PROXY}/bm`],
  ])
})

test('a blank secret has no credentials', async () => {
  const { byName } = (await recordedTyped('two-gitopsclusters-blank-wins')).join(clusterSecrets)
  const [bm] = byName.get('openshift-gitops/bm') ?? []
  const [sno] = byName.get('openshift-gitops/sno') ?? []
  expect(bm && [isBlank(bm), bm.cluster.hasConfig, bm.cluster.server]).toEqual([
    true,
    false,
    'https://bm-control-plane',
  ])
  expect(sno && [isBlank(sno), sno.cluster.hasConfig]).toEqual([false, true])
})

test('secrets of agents carry the name of the agent', async () => {
  const { all } = (await recordedTyped('agent-healthy')).join(clusterSecrets)
  const agents = all.filter(isAgentSecret)
  expect(agents.map(s => s.meta.name).sort()).toEqual(['cluster-bm', 'cluster-sno'])
  // The hub's own secret is none of an agent's.
  expect(all.map(s => s.meta.name)).toContain('cluster-local-cluster')
  expect(agents.find(s => s.cluster.name === 'bm')?.cluster.server).toBe(
    'https://openshift-gitops-agent-principal-resource-proxy.openshift-gitops.svc:9090?agentName=bm',
  )
})
