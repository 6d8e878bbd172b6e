import { AVAILABLE, clusters, isTrue, JOINED } from '../../fleet/joins/clusters.ts'
import { CLUSTER_LEASE } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact, lasting, SECOND, timeText } from '../support.ts'

/** The agent renews once per lease duration, with jitter; the hub says Unknown after five (ocm registration/hub/lease). */
const MISSED = 2.5
const DEFAULT_DURATION = 60

export const clusterLeaseLate: Check = {
  code: 'FLT0008',
  slug: 'cluster-lease-late',
  title: 'Every available cluster has renewed its lease in time',
  severity: 'warning',
  category: 'clusters',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedCluster', 'Lease'] },
  docs: {
    why: 'The hub calls a cluster unknown only after five lease durations without a renewal, five minutes by default. Until then `Available` is True although the agent has stopped: nothing new is delivered by pull, and what is reported is already old.',
    remedy:
      'Look again after a minute. If the lease stays old, look at the klusterlet on the cluster (namespace `open-cluster-management-agent`).',
    sources: ['failures in the field A-2', 'push-pull 1.1'],
  },
  *run(fleet) {
    for (const cluster of fleet.join(clusters).remote) {
      if (!isTrue(cluster, JOINED) || !isTrue(cluster, AVAILABLE)) continue
      const { name } = cluster.meta
      const lease = fleet.hub.of('Lease').get(name, CLUSTER_LEASE)
      const duration = (cluster.leaseDurationSeconds || DEFAULT_DURATION) * SECOND
      if (lease?.renewed === undefined || fleet.now - lease.renewed < MISSED * duration) continue
      yield {
        subject: cluster.subject,
        message: `ManagedCluster "${name}" has not renewed its lease for ${lasting(fleet.now, lease.renewed)} (it should do so every ${duration / SECOND}s); it still counts as available.`,
        evidence: [
          fact(lease, '.spec.renewTime', timeText(lease.renewed)),
          fact(cluster, '.spec.leaseDurationSeconds', duration / SECOND),
          conditionFact(cluster, AVAILABLE),
        ],
        effect: `the hub will call it unknown within ${Math.max(0, Math.round((lease.renewed + 5 * duration - fleet.now) / SECOND))}s; what it reports is old`,
        fix: `on ${name}: oc -n open-cluster-management-agent get pods; restart the klusterlet agent if it does not run`,
        because: [{ subject: cluster.subject }],
        clusters: [name],
        breaks: false,
      }
    }
  },
}
