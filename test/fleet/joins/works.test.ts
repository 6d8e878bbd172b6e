import { expect, test } from 'vitest'
import { payloadKey, workName, works } from '../../../src/fleet/joins/works.ts'
import { recordedTyped } from '../../support/fleets.ts'

test('joins a ManifestWork with its hub Application, its ApplicationSet and its payload', async () => {
  const fleet = await recordedTyped('pull-healthy')
  const { byApp, byAppSet, byCluster, byName, byPayload } = fleet.join(works)
  const [work] = byApp.get('openshift-gitops/branding-bm') ?? []
  expect(work?.work.meta.name).toBe('branding-bm-49ce0')
  expect(work?.cluster).toBe('bm')
  expect(work?.appSetKey).toBe('openshift-gitops/branding-pull')
  expect(work?.payload?.meta.name).toBe('branding-bm')
  expect(byAppSet.get('openshift-gitops/branding-pull')?.map(w => w.work.meta.name)).toEqual([
    'branding-bm-49ce0',
    'branding-sno-64cd5',
  ])
  expect(byCluster.get('sno')?.map(w => w.work.meta.name)).toEqual(['branding-sno-64cd5', 'sno-storefront-2d562'])
  expect(byName.get('bm/branding-bm-49ce0')).toBe(work)
  expect(byPayload.get(payloadKey('bm', 'openshift-gitops', 'branding-bm'))).toEqual([work])
})

test('the name of a ManifestWork holds the first five characters of the uid', async () => {
  const app = (await recordedTyped('pull-healthy')).hub.of('Application').get('openshift-gitops', 'branding-bm')
  expect(app?.meta.uid).toBe('49ce004c-027b-42d5-b9ca-c9594262804a')
  expect(app && workName(app)).toBe('branding-bm-49ce0')
})

test('finds the status of the Application behind Namespace and AppProject, and where it stands alone', async () => {
  // ACM after 2.14 puts Namespace and AppProject before the Application; 2.14 and upstream ship it alone.
  const behind = (await recordedTyped('pull-healthy')).join(works).byName.get('bm/bm-storefront-ffdd2')
  expect(behind?.work.manifests.map(m => m.kind)).toEqual(['Namespace', 'AppProject', 'Application'])
  expect(behind?.status?.ordinal).toBe(2)
  expect(behind?.status?.feedback).toEqual({
    healthStatus: 'Healthy',
    syncStatus: 'Synced',
    operationStateStartedAt: '2026-11-30T16:18:14Z',
    operationStatePhase: 'Succeeded',
    syncRevision: '1aad546bd6e252f80d1db3dc5a2c90ddeb8743e4',
  })
  const alone = (await recordedTyped('acm-2.14-healthy')).join(works).byName.get('bm/branding-bm-c6629')
  expect([alone?.work.manifests.length, alone?.status?.ordinal]).toEqual([1, 0])
  const upstream = (await recordedTyped('upstream-healthy')).join(works).byName.get('bm/bm-signboard-5cc13')
  expect([upstream?.work.manifests.length, upstream?.status?.ordinal]).toEqual([1, 0])
})

test('finds the status where the spoke does not know the kind and the resource is empty', async () => {
  const { all } = (await recordedTyped('pull-argocd-not-installed-on-spoke')).join(works)
  const bare = all.filter(w => w.status?.resource === '')
  expect(bare.length).toBeGreaterThan(0)
  for (const w of bare) {
    expect(w.status?.kind).toBe('Application')
    expect(w.status?.conditions.find(c => c.type === 'Applied')?.status).toBe('False')
  }
})

test('two ManifestWorks may come of one Application that was made anew', async () => {
  const { byApp } = (await recordedTyped('pull-recreated-stale-manifestwork')).join(works)
  expect(
    byApp
      .get('kiosk-team/kiosk')
      ?.map(w => w.work.meta.name)
      .sort(),
  ).toEqual(['kiosk-c9736', 'kiosk-d7ad4'])
})

test('the Application on the spoke may lie in another namespace than that on the hub', async () => {
  const { byApp } = (await recordedTyped('pull-standalone-healthy')).join(works)
  const [kiosk] = byApp.get('kiosk-team/kiosk') ?? []
  expect(kiosk?.payload?.meta.namespace).toBe('openshift-gitops')
  expect(kiosk?.appSetKey).toBe('')
})
