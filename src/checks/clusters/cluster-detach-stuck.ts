import { clusters, condition } from '../../fleet/joins/clusters.ts'
import { groupBy } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { ago, conditionFact, count, fact, MINUTE, names, olderThan, timeText } from '../support.ts'
import { waitsForAgent } from '../work-agent.ts'

/** A clean detach takes less than a minute (seen: under 35 s); after this long nobody is working on it. */
const STUCK_AFTER = 10 * MINUTE

export const clusterDetachStuck: Check = {
  code: 'FLT0006',
  slug: 'cluster-detach-stuck',
  title: 'No managed cluster hangs in its detachment',
  severity: 'error',
  category: 'clusters',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedCluster'] },
  uses: { hub: ['ManifestWork'] },
  docs: {
    why: 'A deleted ManagedCluster waits for its ManifestWorks and add-ons, whose finalizers only the agent of that cluster removes. With the agent down everything hangs: the scheduler forgets the cluster at once, its Applications go, the reports keep saying Healthy, and the workload on the cluster runs on.',
    remedy:
      'Bring the agent back and let it clean up. If the cluster is gone for good, strip the finalizers of its ManifestWorks and accept what is left on it.',
    sources: ['push-pull 1.1, 1.14', 'seen on running controllers: 1.1/1.14'],
  },
  *run(fleet) {
    const byCluster = groupBy(fleet.hub.of('ManifestWork').all, w => w.meta.namespace)
    for (const cluster of fleet.join(clusters).remote) {
      const { name, deleting } = cluster.meta
      if (deleting === undefined) continue
      const waiting = (byCluster.get(name) ?? []).filter(w => waitsForAgent(fleet.now, w))
      const stuck = waiting.length > 0 || olderThan(fleet.now, deleting, STUCK_AFTER)
      yield {
        subject: cluster.subject,
        severity: stuck ? 'error' : 'info',
        message: stuck
          ? `ManagedCluster "${name}" was deleted ${ago(fleet.now, deleting)} and cannot go${waiting.length > 0 ? `: ${count(waiting.length, 'ManifestWork')} wait for its agent` : ''}.`
          : `ManagedCluster "${name}" is being detached (deleted ${ago(fleet.now, deleting)}).`,
        evidence: [
          fact(cluster, '.metadata.deletionTimestamp', timeText(deleting)),
          ...(condition(cluster, 'Deleting') === undefined ? [] : [conditionFact(cluster, 'Deleting')]),
          ...waiting.slice(0, 5).map(w => fact(w, '.metadata.finalizers', names(w.meta.finalizers))),
        ],
        effect: 'Applications of the cluster are removed on the hub while its workload goes on unmanaged',
        fix: `start the agents of ${name} (klusterlet), or strip the finalizers of its ManifestWorks and accept what stays on it`,
        clusters: [name],
      }
    }
  },
}
