import { inputsOf } from '../../fleet/fleet.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { placementUsers } from '../../fleet/joins/placement-users.ts'
import { placements } from '../../fleet/joins/placements.ts'
import { placementKey, selection } from '../../fleet/joins/selection.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact, names } from '../support.ts'

export const placementShort: Check = {
  code: 'FLT0112',
  slug: 'placement-short',
  title: 'Every Placement in use gets as many clusters as it asks for',
  severity: 'warning',
  category: 'selection',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Placement', 'PlacementDecision'] },
  uses: inputsOf({ hub: ['ManagedCluster', 'ManagedClusterSet', 'ManagedClusterSetBinding'] }, placementUsers),
  docs: {
    why: 'A Placement with `numberOfClusters` takes fewer when fewer pass its filters. `PlacementSatisfied` says `NotAllDecisionsScheduled` and how many are lacking, not which clusters fell out and why.',
    remedy: 'See the reason for each cluster in the evidence: its set, the predicate, or a taint.',
    sources: ['push-pull 1.4', 'failures in the field B-3'],
  },
  *run(fleet) {
    const users = fleet.join(placementUsers)
    for (const { placement, clusters } of fleet.join(selection).byPlacement.values()) {
      const satisfied = condition(placement, 'PlacementSatisfied')
      const { namespace, name } = placement.meta
      const wanted = placement.numberOfClusters
      if (satisfied?.status !== 'False' || satisfied.reason !== 'NotAllDecisionsScheduled') continue
      if (wanted === undefined || clusters.size === 0 || !users.has(placementKey(namespace, name))) continue
      const out = fleet.join(placements).explain(namespace, name)?.notSelected ?? []
      yield {
        subject: placement.subject,
        message: `Placement "${name}" in namespace "${namespace}" asks for ${wanted} clusters and gets ${clusters.size}.`,
        evidence: [
          conditionFact(placement, 'PlacementSatisfied'),
          ...out.slice(0, 5).map(n => fact(placement, '', n.detail)),
        ],
        effect: 'fewer clusters get the Applications of its ApplicationSets than were asked for',
        fix:
          out.length === 0
            ? 'put more clusters into its sets'
            : `see why ${names(out.map(n => n.cluster))} ${out.length === 1 ? 'falls' : 'fall'} out`,
        because: [{ subject: placement.subject }],
        breaks: false,
      }
    }
  },
}
