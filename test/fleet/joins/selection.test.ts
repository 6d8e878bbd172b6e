import { expect, test } from 'vitest'
import { selection } from '../../../src/fleet/joins/selection.ts'
import { recordedTyped } from '../../support/fleets.ts'
import { patched } from '../../support/patch.ts'

const KEY = 'openshift-gitops/production-clusters'

test('joins a Placement with its decision, and a namespace with its bindings', async () => {
  const { byPlacement, decidedIn, bindingsIn, orphans } = (await recordedTyped('pull-healthy')).join(selection)
  const decided = byPlacement.get(KEY)
  expect(decided?.decisions.map(d => d.meta.name)).toEqual(['production-clusters-decision-1'])
  expect([...(decided?.clusters ?? [])]).toEqual(['bm', 'sno'])
  expect([...(decidedIn.get('openshift-gitops') ?? [])]).toEqual(['bm', 'sno'])
  expect(bindingsIn.get('openshift-gitops')?.map(b => b.meta.name)).toEqual(['production'])
  expect(orphans.size).toBe(0)
})

test('takes all decisions of a Placement together, beyond the hundred that one holds', async () => {
  const two = await patched('pull-healthy', patch => {
    const first = patch.edit('hub/PlacementDecision/openshift-gitops/production-clusters-decision-1')
    patch.add('hub', 'PlacementDecision', {
      ...structuredClone(first),
      metadata: { ...structuredClone(first.metadata as object), name: 'production-clusters-decision-2' },
      status: { decisions: [{ clusterName: 'edge', reason: '' }] },
    })
  })
  const { byPlacement } = (await two.load()).fleet.join(selection)
  expect([...(byPlacement.get(KEY)?.clusters ?? [])].sort()).toEqual(['bm', 'edge', 'sno'])
})

test('a decision without its label belongs to its owner', async () => {
  const bare = await patched('pull-healthy', patch => {
    patch.unset('hub/PlacementDecision/openshift-gitops/production-clusters-decision-1', ['metadata', 'labels'])
  })
  expect((await bare.load()).fleet.join(selection).byPlacement.get(KEY)?.clusters.size).toBe(2)
})

test('a decision whose Placement is gone is an orphan that still lets Applications pass', async () => {
  const gone = await patched('pull-healthy', patch => patch.remove(`hub/Placement/${KEY}`))
  const { byPlacement, orphans, decidedIn } = (await gone.load()).fleet.join(selection)
  expect(byPlacement.size).toBe(0)
  expect(orphans.get(KEY)).toHaveLength(1)
  expect(decidedIn.get('openshift-gitops')?.has('bm')).toBe(true)
})
