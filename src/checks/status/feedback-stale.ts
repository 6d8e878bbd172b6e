import { clusters, isReporting } from '../../fleet/joins/clusters.ts'
import { works } from '../../fleet/joins/works.ts'
import { groupBy } from '../../fleet/maps.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { conditionFact, count, fact } from '../support.ts'

export const feedbackStale: Check = {
  code: 'FLT0703',
  slug: 'feedback-stale',
  title: 'Health is reported by clusters that can be reached',
  severity: 'warning',
  category: 'status',
  models: ['pull'],
  needs: { hub: ['ManifestWork', 'ManagedCluster'] },
  docs: {
    why: 'Feedback values of a ManifestWork have no expiry: those of a cluster that is unknown stay as they were, and report and hub Application copy them. Healthy then means "was healthy when last heard of".',
    remedy: 'Bring the cluster back; see its own finding.',
    sources: ['push-pull 1.11, 1.13, 5 (22)'],
  },
  *run(fleet) {
    const { byName } = fleet.join(clusters)
    for (const [name, list] of groupBy(fleet.join(works).all, w => w.cluster)) {
      const cluster = byName.get(name)
      if (cluster === undefined || isReporting(cluster)) continue
      const healthy = list.filter(w => w.status?.feedback.healthStatus === 'Healthy')
      const first = healthy[0]
      if (first === undefined) continue
      yield {
        subject: first.work.subject,
        breaks: false,
        message: `${count(healthy.length, 'ManifestWork')} of cluster "${name}" ${healthy.length === 1 ? 'says' : 'say'} Healthy, but the cluster is not heard of.`,
        evidence: [
          conditionFact(cluster, 'ManagedClusterConditionAvailable'),
          ...healthy.slice(0, 5).map(w => fact(w.work, 'feedback healthStatus', 'Healthy')),
        ],
        effect: 'reported health of this cluster is stale',
        fix: `bring cluster ${name} back`,
        because: [{ subject: subject('hub', 'ManagedCluster', '', name) }],
        clusters: [name],
      }
    }
  },
}
