import { clusters, condition } from '../../fleet/joins/clusters.ts'
import type { Check } from '../check.ts'
import { conditionFact } from '../support.ts'

const SYNCED = 'ManagedClusterConditionClockSynced'

export const clusterClockSkewed: Check = {
  code: 'FLT0004',
  slug: 'cluster-clock-skewed',
  title: 'The clocks of hub and clusters agree',
  severity: 'warning',
  category: 'clusters',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedCluster'] },
  docs: {
    why: 'A cluster whose clock is off by more than five lease durations flaps between available and unknown, and certificates and tokens seem expired or not yet valid.',
    remedy:
      'Repair NTP on the cluster. Annotation `registration.open-cluster-management.io/skip-clock-sync-check: "true"` on the ManagedCluster opts out of the check.',
    sources: ['push-pull 1.1', 'open-cluster-management-io/ocm:pkg/registration/hub/lease/clocksynccontroller.go'],
  },
  *run(fleet) {
    for (const cluster of fleet.join(clusters).remote) {
      if (condition(cluster, SYNCED)?.status !== 'False') continue
      yield {
        subject: cluster.subject,
        message: `The clock of cluster "${cluster.meta.name}" differs from that of the hub.`,
        evidence: [conditionFact(cluster, SYNCED)],
        effect: 'the cluster may flap between available and unknown',
        fix: `repair time synchronisation (NTP) on ${cluster.meta.name}`,
        because: [{ subject: cluster.subject, codes: ['FLT0001', 'FLT0002', 'FLT0003'] }],
        clusters: [cluster.meta.name],
      }
    }
  },
}
