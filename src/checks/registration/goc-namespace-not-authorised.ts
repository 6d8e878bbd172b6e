import { condition } from '../../fleet/joins/clusters.ts'
import { registration } from '../../fleet/joins/registration.ts'
import { GITOPS_ARGO_NAMESPACE } from '../../fleet/labels.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact } from '../support.ts'

export const gocNamespaceNotAuthorised: Check = {
  code: 'FLT0204',
  slug: 'goc-namespace-not-authorised',
  title: 'A GitOpsCluster outside the Argo CD namespace is allowed to write there',
  severity: 'error',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['GitOpsCluster'] },
  uses: { hub: ['Namespace', 'Placement', 'PlacementDecision', 'ManagedClusterSetBinding'] },
  docs: {
    why: 'Since the z-streams of 2026 a GitOpsCluster may register clusters in another namespace only if that Namespace carries a label. Without it the reconcile stops before the Placement is looked at, and the later conditions stay Unknown.',
    remedy:
      'Label the Argo CD namespace `apps.open-cluster-management.io/gitops-argo-namespace=true`, or put the GitOpsCluster and its Placement into that namespace.',
    sources: ['push-pull 1.6, 5 (17)'],
  },
  *run(fleet) {
    for (const { goc, argoNamespace } of fleet.join(registration).all) {
      const c = condition(goc, 'ArgoServerVerified')
      if (c?.status !== 'False' || c.reason !== 'InvalidConfiguration') continue
      const label = fleet.hub.of('Namespace').get('', argoNamespace)?.meta.labels[GITOPS_ARGO_NAMESPACE]
      yield {
        subject: goc.subject,
        message: `GitOpsCluster "${goc.meta.name}" may not register clusters in namespace "${argoNamespace}": ${c.message}`,
        evidence: [
          conditionFact(goc, 'ArgoServerVerified'),
          fact(goc, '', `Namespace ${argoNamespace}: label ${GITOPS_ARGO_NAMESPACE} is ${label ?? 'absent'}`),
        ],
        effect: 'the reconcile stops: no cluster is registered',
        fix: `oc label namespace ${argoNamespace} ${GITOPS_ARGO_NAMESPACE}=true`,
      }
    }
  },
}
