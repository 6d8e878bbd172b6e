import { expect, test } from 'vitest'
import { placementUsers } from '../../../src/fleet/joins/placement-users.ts'
import { placements } from '../../../src/fleet/joins/placements.ts'
import { recordedTyped } from '../../support/fleets.ts'

test('says what a Placement ought to select', async () => {
  const healthy = (await recordedTyped('pull-healthy'))
    .join(placements)
    .explain('openshift-gitops', 'production-clusters')
  expect(healthy?.selected).toEqual(['bm', 'sno'])
  expect(healthy?.unboundSets).toEqual([])
  const unbound = (await recordedTyped('push-binding-deleted'))
    .join(placements)
    .explain('openshift-gitops', 'production-clusters')
  expect(unbound?.selected).toEqual([])
  expect(unbound?.unboundSets).toEqual(['production'])
})

test('has nothing to say about a Placement that is not there', async () => {
  expect(
    (await recordedTyped('placement-deleted')).join(placements).explain('openshift-gitops', 'emea-openshift'),
  ).toBe(undefined)
})

test('knows who takes clusters from a Placement', async () => {
  const users = async (fleet: string, key: string) =>
    (await recordedTyped(fleet))
      .join(placementUsers)
      .get(key)
      ?.map(u => `${u.subject.kind} ${u.meta.name}`)
      .sort()
  expect(await users('mixed-healthy', 'openshift-gitops/production-clusters')).toEqual([
    'ApplicationSet branding-pull',
    'ApplicationSet compliance-operator',
    'GitOpsCluster gitops-production',
  ])
  // By the name that they ask for, also where it does not exist.
  expect(await users('appset-wrong-placement-label', 'openshift-gitops/production-cluster')).toEqual([
    'ApplicationSet compliance-operator',
  ])
  // The gate of a namespace is used by nobody.
  expect(await users('pull-standalone-healthy', 'kiosk-team/kiosk-stores')).toBeUndefined()
})
