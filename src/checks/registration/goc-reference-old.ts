import { validPlacementRef } from '../../fleet/joins/registration.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

export const gocReferenceOld: Check = {
  code: 'FLT0217',
  slug: 'goc-reference-old',
  title: 'GitOpsClusters refer to Placements by the API version that exists',
  severity: 'warning',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['GitOpsCluster'] },
  docs: {
    why: 'Placement has had version v1beta1 alone for years. `placementRef.apiVersion` with v1alpha1 is still let through by the controller; it comes from manifests that were written for an older hub and then differ from what is stored, so that Argo CD shows the GitOpsCluster OutOfSync after an upgrade.',
    remedy:
      'Write `cluster.open-cluster-management.io/v1beta1` in Git, in `placementRef.apiVersion`, and `apps.open-cluster-management.io/v1beta1` for the GitOpsCluster itself.',
    sources: ['push-pull 1.4, 1.6', 'failures in the field C-3'],
  },
  *run(fleet) {
    for (const goc of fleet.hub.of('GitOpsCluster').all) {
      // Upstream's own GitOpsCluster is v1alpha1 on purpose and has a plain reference.
      if (goc.apiVersion.endsWith('/v1alpha1') || !validPlacementRef(goc)) continue
      const { apiVersion } = goc.placementRef
      if (!/\/v1alpha1$/i.test(apiVersion)) continue
      yield {
        subject: goc.subject,
        message: `GitOpsCluster "${goc.meta.name}" refers to its Placement as ${apiVersion}, a version that no hub serves.`,
        evidence: [fact(goc, '.spec.placementRef.apiVersion', apiVersion)],
        effect: 'none as long as the controller lets it through; a later one may refuse the reference',
        fix: 'set spec.placementRef.apiVersion: cluster.open-cluster-management.io/v1beta1',
        breaks: false,
      }
    }
  },
}
