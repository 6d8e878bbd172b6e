import { registration, validPlacementRef } from '../../fleet/joins/registration.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact } from '../support.ts'

export const gocPlacementRefInvalid: Check = {
  code: 'FLT0202',
  slug: 'goc-placement-ref-invalid',
  title: 'Every GitOpsCluster refers to its Placement by kind, API version and name',
  severity: 'error',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['GitOpsCluster'] },
  uses: { hub: ['Placement', 'PlacementDecision', 'ManagedClusterSetBinding'] },
  docs: {
    why: 'Only kind `Placement` with apiVersion `cluster.open-cluster-management.io/v1beta1` is accepted, and neither may be empty. The CRD lets anything through, and the condition says `PlacementNotFound` with "invalid placement reference" without naming the field.',
    remedy:
      'Set `spec.placementRef` to `{kind: Placement, apiVersion: cluster.open-cluster-management.io/v1beta1, name: NAME}`.',
    sources: ['push-pull 1.6'],
  },
  *run(fleet) {
    for (const { goc } of fleet.join(registration).all) {
      if (validPlacementRef(goc)) continue
      const { kind, apiVersion, name } = goc.placementRef
      const wrong = [
        ...(kind === 'Placement' ? [] : [`kind is "${kind}"`]),
        ...(/^cluster\.open-cluster-management\.io\/v1(alpha1|beta1)$/i.test(apiVersion)
          ? []
          : [`apiVersion is "${apiVersion}"`]),
        ...(name === '' ? ['name is empty'] : []),
      ]
      yield {
        subject: goc.subject,
        message: `GitOpsCluster "${goc.meta.name}" has an invalid placementRef: ${wrong.join(', ')}.`,
        evidence: [
          fact(goc, '.spec.placementRef', `kind=${kind} apiVersion=${apiVersion} name=${name}`),
          conditionFact(goc, 'PlacementResolved'),
        ],
        effect: 'the GitOpsCluster is not Ready: no cluster is added, no token renewed, although what exists goes on',
        fix: `set spec.placementRef to kind Placement, apiVersion cluster.open-cluster-management.io/v1beta1, name ${name || '<placement>'}`,
      }
    }
  },
}
