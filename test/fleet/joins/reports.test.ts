import { expect, test } from 'vitest'
import { reports } from '../../../src/fleet/joins/reports.ts'
import { recordedTyped } from '../../support/fleets.ts'
import { patched } from '../../support/patch.ts'

test('joins an entry with its report, its Application and its ManifestWork', async () => {
  const { byAppSet, byApp, entries } = (await recordedTyped('pull-healthy')).join(reports)
  expect([...byAppSet.keys()].sort()).toEqual(['openshift-gitops/branding-pull', 'openshift-gitops/storefront-pull'])
  expect(entries).toHaveLength(4)
  const [entry] = byApp.get('openshift-gitops/sno-storefront') ?? []
  expect(entry?.report.meta.name).toBe('storefront-pull')
  expect(entry?.workName).toBe('sno-storefront-2d562')
  expect(entry?.entry).toMatchObject({
    cluster: 'sno',
    sync: 'Synced',
    health: 'Healthy',
    phase: 'Succeeded',
    revision: '1aad546bd6e252f80d1db3dc5a2c90ddeb8743e4',
    startedAt: Date.UTC(2026, 10, 30, 16, 18, 14),
  })
  expect(byAppSet.get('openshift-gitops/branding-pull')?.summary).toMatchObject({ clusters: '2', healthy: '2' })
})

test('an entry that only search knows belongs to no Application', async () => {
  const searched = await patched('pull-healthy', patch => {
    patch.unset('hub/MulticlusterApplicationSetReport/openshift-gitops/branding-pull', [
      'statuses',
      'clusterConditions',
      0,
      'app',
    ])
  })
  const { byApp, entries } = (await searched.load()).fleet.join(reports)
  expect(entries).toHaveLength(4)
  expect(byApp.has('openshift-gitops/branding-bm')).toBe(false)
})

test('upstream has no reports', async () => {
  expect((await recordedTyped('upstream-healthy')).join(reports).entries).toEqual([])
})
