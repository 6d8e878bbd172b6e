import { AVAILABLE, clusters, condition, isTrue, JOINED } from '../../fleet/joins/clusters.ts'
import { subject } from '../../fleet/subject.ts'
import { CLUSTER_LEASE } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { ago, conditionFact, fact, lasting, olderThan, SECOND, timeText } from '../support.ts'

const PUSH_SPARED = 15 * SECOND

export const clusterUnavailable: Check = {
  code: 'FLT0003',
  slug: 'cluster-unavailable',
  title: 'Every joined cluster reports that it is available',
  severity: 'error',
  category: 'clusters',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedCluster'] },
  uses: { hub: ['Lease'] },
  docs: {
    why: 'The registration agent renews a lease on the hub; after five times `leaseDurationSeconds` without a renewal the cluster is Unknown, gets the `unreachable` taint, and all its add-ons are overwritten with the same reason. ManifestWork feedback, reports and hub Applications keep their last values and go on saying Healthy. Push may still work: it has another way to the cluster.',
    remedy:
      'Unknown: look at the klusterlet on the cluster (namespace `open-cluster-management-agent`), the network to the hub and the expiry of its hub kubeconfig; a hibernated cluster looks the same. False: the API server of the cluster does not answer `/livez`.',
    sources: ['push-pull 1.1', 'open-cluster-management-io/ocm:pkg/registration/hub/lease/controller.go'],
  },
  *run(fleet) {
    for (const cluster of fleet.join(clusters).remote) {
      if (!isTrue(cluster, JOINED) || isTrue(cluster, AVAILABLE)) continue
      const { name } = cluster.meta
      const available = condition(cluster, AVAILABLE)
      const lease = fleet.hub.of('Lease').get(name, CLUSTER_LEASE)
      const seen = lease?.renewed === undefined ? '' : `; its lease was renewed ${ago(fleet.now, lease.renewed)}`
      yield {
        subject: cluster.subject,
        message: `ManagedCluster "${name}" has been ${available?.status === 'False' ? 'unavailable' : 'unknown to the hub'} for ${lasting(fleet.now, available?.since)}${seen}.`,
        evidence: [
          conditionFact(cluster, AVAILABLE),
          ...(lease === undefined ? [] : [fact(lease, '.spec.renewTime', timeText(lease.renewed))]),
          ...(cluster.taints.length === 0
            ? []
            : [fact(cluster, '.spec.taints', cluster.taints.map(t => t.key).join(', '))]),
        ],
        effect:
          'what the hub says about this cluster is old: add-ons, ManifestWorks and reported health cannot be trusted; pull delivers nothing new to it',
        fix:
          available?.status === 'False'
            ? `repair the API server of ${name} (its /livez does not answer 200)`
            : `on ${name}: oc -n open-cluster-management-agent get pods; restart the klusterlet and check its way to the hub`,
        because: [
          { subject: subject(name, 'Klusterlet', '', 'klusterlet') },
          { subject: cluster.subject, codes: ['FLT0001', 'FLT0006'] },
        ],
        clusters: [name],
        // Push has a way of its own to the cluster: only an outage that lasts counts against it.
        ...(olderThan(fleet.now, available?.since, PUSH_SPARED) ? {} : { models: ['pull', 'agent'] as const }),
      }
    }
  },
}
