import { works } from '../../fleet/joins/works.ts'
import { groupBy } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { waitsForAgent, waitText } from '../work-agent.ts'
import { clusterCauses } from './pull-support.ts'

export const workBehind: Check = {
  code: 'FLT0604',
  slug: 'work-behind',
  title: 'Every pull ManifestWork was seen by the work agent as it is',
  severity: 'error',
  category: 'delivery',
  models: ['pull'],
  needs: { hub: ['ManifestWork'] },
  uses: { hub: ['ManagedCluster'] },
  docs: {
    why: 'The work agent notes the generation that it has applied. A ManifestWork without conditions and finalizer was never picked up; one whose `observedGeneration` is behind carries a change that has not arrived, while its feedback goes on saying Healthy.',
    remedy:
      'If several works of the cluster wait, the agent is the matter. If one alone waits, read its manifest conditions and the log of the work agent.',
    sources: ['push-pull 1.11'],
  },
  *run(fleet) {
    const all = groupBy(fleet.hub.of('ManifestWork').all, w => w.meta.namespace)
    for (const { work, cluster } of fleet.join(works).all) {
      if (!waitsForAgent(fleet.now, work)) continue
      const waiting = (all.get(cluster) ?? []).filter(w => waitsForAgent(fleet.now, w)).length
      yield {
        subject: work.subject,
        message: `ManifestWork "${work.meta.name}" in namespace "${cluster}" waits for the work agent: ${waitText(fleet.now, work)}.`,
        evidence: [
          fact(work, '.metadata.generation', work.meta.generation),
          fact(work, '.status.conditions', waitText(fleet.now, work)),
          fact(work, '', `${waiting} of ${all.get(cluster)?.length ?? 0} ManifestWorks of the cluster wait`),
        ],
        effect: `cluster ${cluster} does not have the newest content; reported health is frozen`,
        fix: `look at the work agent on ${cluster} (namespace open-cluster-management-agent)`,
        because: clusterCauses(cluster),
      }
    }
  },
}
