import { defineJoin } from '../fleet.ts'

/** Which integration runs on the hub (push-pull.md 4.1). They cannot coexist: both claim GitOpsCluster. */
export type Flavour = 'acm' | 'upstream' | 'none'

/** Told by what the hub serves: ACM's GitOpsCluster is v1beta1 and it has reports; upstream OCM's is v1alpha1. */
export const flavour = defineJoin<Flavour>(
  { hub: ['CustomResourceDefinition', 'GitOpsCluster', 'MulticlusterApplicationSetReport', 'ManagedCluster'] },
  fleet => {
    if (fleet.hub.of('MulticlusterApplicationSetReport').all.length > 0) return 'acm'
    const crds = fleet.hub.of('CustomResourceDefinition')
    if (crds.get('', 'multiclusterapplicationsetreports.apps.open-cluster-management.io') !== undefined) return 'acm'
    const versions = crds.get('', 'gitopsclusters.apps.open-cluster-management.io')?.versions ?? []
    if (versions.includes('v1beta1')) return 'acm'
    if (versions.includes('v1alpha1')) return 'upstream'
    const goc = fleet.hub.of('GitOpsCluster').all[0]
    if (goc !== undefined) return goc.apiVersion.endsWith('/v1alpha1') ? 'upstream' : 'acm'
    return fleet.hub.of('ManagedCluster').all.length > 0 ? 'upstream' : 'none'
  },
)
