import { placements } from '../../fleet/joins/placements.ts'
import { selection } from '../../fleet/joins/selection.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const decisionDiffers: Check = {
  code: 'FLT0110',
  slug: 'decision-differs',
  title: 'PlacementDecisions hold what their Placements select',
  severity: 'warning',
  category: 'selection',
  models: ['push', 'pull', 'agent'],
  needs: {
    hub: ['ManagedCluster', 'ManagedClusterSet', 'ManagedClusterSetBinding', 'Placement', 'PlacementDecision'],
  },
  whole: { hub: ['ManagedCluster', 'ManagedClusterSet', 'ManagedClusterSetBinding', 'PlacementDecision'] },
  docs: {
    why: 'The scheduler changes a decision within seconds. A decision that is not what the sets, bindings, predicates and taints give is about to change, or the placement controller does not run. What leaves the decision is deleted by the ApplicationSets.',
    remedy:
      'Look again after a few seconds. If it stays, look at the placement controller on the hub (`cluster-manager-placement-controller`).',
    sources: ['push-pull 1.4, 1.5'],
  },
  *run(fleet) {
    for (const { placement, clusters } of fleet.join(selection).byPlacement.values()) {
      const explained = fleet.join(placements).explain(placement.meta.namespace, placement.meta.name)
      if (explained === undefined || !explained.certain || explained.frozen !== undefined) continue
      const ought = new Set(explained.selected)
      const extra = [...clusters].filter(c => !ought.has(c)).sort()
      const lacking = explained.selected.filter(c => !clusters.has(c))
      if (extra.length === 0 && lacking.length === 0) continue
      yield {
        subject: placement.subject,
        message: `The decision of Placement "${placement.meta.name}" in namespace "${placement.meta.namespace}" is not what it selects${lacking.length > 0 ? `; it lacks ${names(lacking)}` : ''}${extra.length > 0 ? `; it still holds ${names(extra)}` : ''}.`,
        evidence: [
          fact(placement, '', `selects ${names(explained.selected)}`),
          fact(placement, '', `decision holds ${names([...clusters].sort())}`),
          ...extra
            .slice(0, 5)
            .map(c => fact(placement, '', explained.whyNot(c)?.detail ?? `${c} is no ManagedCluster`)),
        ],
        effect:
          extra.length > 0
            ? 'Applications of the clusters that leave will be deleted'
            : 'Applications for the new clusters will be generated',
        fix: 'look again after some seconds; if it stays, look at the placement controller on the hub',
        because: extra.map(c => ({ subject: subject('hub', 'ManagedCluster', '', c) })),
        clusters: [...extra, ...lacking],
      }
    }
  },
}
