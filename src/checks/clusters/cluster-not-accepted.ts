import { ACCEPTED, clusters, condition } from '../../fleet/joins/clusters.ts'
import { decidedAnywhere } from '../../fleet/joins/selection.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact } from '../support.ts'

export const clusterNotAccepted: Check = {
  code: 'FLT0001',
  slug: 'cluster-not-accepted',
  title: 'Every managed cluster is accepted by the hub',
  severity: 'error',
  category: 'clusters',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedCluster'] },
  uses: { hub: ['Placement', 'PlacementDecision', 'ManagedClusterSetBinding'] },
  docs: {
    why: 'A cluster that nobody accepted, or that was denied, has no rights on the hub: its agents can neither report nor fetch work. A Placement with blanket tolerations selects it all the same. The condition may stay True for a while after a denial, so the spec counts as well.',
    remedy:
      'Set `spec.hubAcceptsClient: true` on the ManagedCluster (needs verb `update` on `managedclusters/accept`), or take it out of its set. If the condition has reason `Error`, read its message: usually the namespace of the cluster is still terminating.',
    sources: ['push-pull 1.1', 'open-cluster-management-io/ocm:pkg/registration/hub/managedcluster/controller.go'],
  },
  *run(fleet) {
    const decided = decidedAnywhere(fleet)
    for (const cluster of fleet.join(clusters).remote) {
      const accepted = condition(cluster, ACCEPTED)
      // Without the condition the hub has not looked at it yet, which shows as a cluster that has not joined.
      if (cluster.accepted && accepted?.status !== 'False') continue
      const name = cluster.meta.name
      yield {
        subject: cluster.subject,
        // A cluster may well wait for somebody to accept it, as long as nothing is meant to go there.
        ...(decided.has(name) || cluster.accepted ? {} : { severity: 'warning' as const }),
        message: cluster.accepted
          ? `ManagedCluster "${name}" should be accepted, but the hub could not do it.`
          : `ManagedCluster "${name}" is not accepted by the hub.`,
        evidence: [fact(cluster, '.spec.hubAcceptsClient', cluster.accepted), conditionFact(cluster, ACCEPTED)],
        effect:
          'the agents of the cluster have no rights on the hub: nothing is delivered to it and nothing is reported',
        fix: cluster.accepted
          ? `repair what the condition's message names, e.g. a terminating namespace ${name}`
          : `oc patch managedcluster ${name} --type=merge -p '{"spec":{"hubAcceptsClient":true}}'`,
        clusters: [name],
      }
    }
  },
}
