import { clusters, condition, isTrue, JOINED } from '../../fleet/joins/clusters.ts'
import { decidedAnywhere } from '../../fleet/joins/selection.ts'
import type { Check } from '../check.ts'
import { ago, conditionFact, fact, MINUTE, olderThan } from '../support.ts'

/** A cluster that is being imported joins within some minutes. */
const IMPORT_TIME = 15 * MINUTE

export const clusterNotJoined: Check = {
  code: 'FLT0002',
  slug: 'cluster-not-joined',
  title: 'Every accepted cluster has joined the hub',
  severity: 'error',
  category: 'clusters',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedCluster'] },
  uses: { hub: ['Placement', 'PlacementDecision', 'ManagedClusterSetBinding'] },
  docs: {
    why: 'An accepted cluster whose klusterlet never registered has no `ManagedClusterJoined` condition. It carries the `unreachable` taint, so a Placement that tolerates it selects a cluster to which nothing can be delivered, and one such cluster makes a whole GitOpsCluster fail.',
    remedy:
      'Finish the import: install the klusterlet on the cluster and approve its CertificateSigningRequest, or take the cluster out of the set until it has joined.',
    sources: ['push-pull 1.1, 5 (14)', 'open-cluster-management-io/ocm:pkg/registration/hub/taint/controller.go'],
  },
  *run(fleet) {
    const decided = decidedAnywhere(fleet)
    for (const cluster of fleet.join(clusters).remote) {
      if (!cluster.accepted || isTrue(cluster, JOINED)) continue
      const { name, created } = cluster.meta
      yield {
        subject: cluster.subject,
        // An import takes its time; one that a Placement selects already is in the way of the others.
        ...(decided.has(name) || olderThan(fleet.now, created, IMPORT_TIME) ? {} : { severity: 'info' as const }),
        message: `ManagedCluster "${name}" has never joined (created ${ago(fleet.now, created)}).`,
        evidence: [
          conditionFact(cluster, JOINED),
          fact(cluster, '.spec.taints', cluster.taints.map(t => t.key).join(', ') || 'none'),
        ],
        effect:
          'nothing can be delivered to it; a GitOpsCluster whose Placement selects it is not Ready for any cluster',
        fix: `finish the import of ${name} (klusterlet installed, CSR approved: oc get csr -l open-cluster-management.io/cluster-name=${name}), or take it out of its set`,
        because: [{ subject: cluster.subject, codes: ['FLT0001'] }],
        clusters: [name],
      }
    }
  },
  notApplicable: fleet =>
    fleet.hub.of('ManagedCluster').all.some(c => condition(c, JOINED) !== undefined || c.accepted)
      ? undefined
      : 'no accepted cluster',
}
