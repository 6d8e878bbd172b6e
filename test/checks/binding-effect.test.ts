import { expect, test } from 'vitest'
import { runDoctor } from '../../src/doctor.ts'
import { openPath } from '../../src/source/open.ts'
import { recordedFleet } from '../support/fleets.ts'

// Who takes its clusters from the Placement stands in the recordings: an ApplicationSet from production-clusters, nobody from policy-fleet.
test.each([
  ['pull-binding-deleted', 'openshift-gitops', /ApplicationSets delete their Applications/],
  ['two-independent-faults', 'acm-policies', /^(?!.*delete).*no ApplicationSet and no GitOpsCluster is seen to use it/],
])('%s: the effect of a missing binding is told by who uses the Placement', async (fleet, namespace, effect) => {
  const { findings } = await runDoctor(await openPath(recordedFleet(fleet), {}))
  const found = findings.filter(f => f.code === 'FLT0102' && f.subject.namespace === namespace)
  expect(found.map(f => f.effect)).toEqual([expect.stringMatching(effect)])
})
