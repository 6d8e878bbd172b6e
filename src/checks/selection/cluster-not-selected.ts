import { clusters } from '../../fleet/joins/clusters.ts'
import { placements } from '../../fleet/joins/placements.ts'
import { clusterSecrets, isAcm, registration, registrationKey } from '../../fleet/joins/registration.ts'
import { selection } from '../../fleet/joins/selection.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

/** Reasons that lie with the cluster; the others are the matter of the Placement and of its own checks. */
const OWN_REASONS = new Set(['predicate', 'taint', 'count'])

export const clusterNotSelected: Check = {
  code: 'FLT0107',
  slug: 'cluster-not-selected',
  title: 'Clusters that were registered in Argo CD are still selected',
  severity: 'warning',
  category: 'selection',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedCluster', 'Placement', 'PlacementDecision', 'GitOpsCluster', 'Secret'] },
  uses: { hub: ['ManagedClusterSet', 'ManagedClusterSetBinding'] },
  whole: { hub: ['GitOpsCluster', 'Placement', 'PlacementDecision'] },
  docs: {
    why: 'A cluster drops out of a decision because of one changed label, or one taint, while all conditions stay True: the Placement still selects others. Its cluster secret stays (since ACM 2.14), which tells that it was selected before; its Applications are deleted without a word.',
    remedy:
      'If the cluster should be selected, put back the label, tolerate or remove the taint, or raise `numberOfClusters`. If not, delete the cluster secret that is left over.',
    sources: ['push-pull 1.4, 1.6'],
  },
  *run(fleet) {
    const { byName } = fleet.join(clusters)
    const { all: registrars, of } = fleet.join(registration)
    const { byPlacement } = fleet.join(selection)
    for (const secret of fleet.join(clusterSecrets).all) {
      const cluster = byName.get(secret.cluster.name)
      const { namespace } = secret.meta
      if (cluster === undefined || cluster.meta.deleting !== undefined || !isAcm(secret)) continue
      if (of.has(registrationKey(namespace, cluster.meta.name))) continue
      for (const r of registrars) {
        // A Placement that selects nothing at all is one finding, not one per cluster.
        if (r.argoNamespace !== namespace || r.decided === undefined || r.decided.clusters.size === 0) continue
        const { placement } = r.decided
        const why = fleet
          .join(placements)
          .explain(placement.meta.namespace, placement.meta.name)
          ?.whyNot(cluster.meta.name)
        if (
          why === undefined ||
          !OWN_REASONS.has(why.reason) ||
          !byPlacement.has(`${placement.meta.namespace}/${placement.meta.name}`)
        )
          continue
        yield {
          // How many clusters there may be is the Placement's word; which one goes is chance.
          subject: why.reason === 'count' ? placement.subject : cluster.subject,
          severity: why.reason === 'taint' ? 'error' : 'warning',
          message: `ManagedCluster "${cluster.meta.name}" was registered in Argo CD but is not selected any more by Placement "${placement.meta.name}": ${why.detail}.`,
          evidence: [fact(cluster, '', why.detail), fact(secret, '', 'cluster secret is left over')],
          effect: 'ApplicationSets on this Placement delete the Applications of the cluster, without an error',
          fix:
            why.reason === 'taint'
              ? `remove the taint from ${cluster.meta.name}, or tolerate it in Placement ${placement.meta.namespace}/${placement.meta.name}`
              : why.reason === 'count'
                ? `raise numberOfClusters of Placement ${placement.meta.namespace}/${placement.meta.name}, or delete Secret ${namespace}/${secret.meta.name}`
                : `make ${cluster.meta.name} match Placement ${placement.meta.namespace}/${placement.meta.name} again, or delete Secret ${namespace}/${secret.meta.name}`,
          because: [{ subject: cluster.subject, codes: ['FLT0001', 'FLT0002', 'FLT0003', 'FLT0005'] }],
          clusters: [cluster.meta.name],
        }
        break
      }
    }
  },
}
