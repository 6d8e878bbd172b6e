import { condition } from '../../fleet/joins/clusters.ts'
import { placements } from '../../fleet/joins/placements.ts'
import { selection } from '../../fleet/joins/selection.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact } from '../support.ts'

export const placementMisconfigured: Check = {
  code: 'FLT0103',
  slug: 'placement-misconfigured',
  title: 'Every Placement can be evaluated by the scheduler',
  severity: 'error',
  category: 'selection',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Placement'] },
  uses: { hub: ['ManagedCluster', 'ManagedClusterSet', 'ManagedClusterSetBinding', 'PlacementDecision'] },
  docs: {
    why: 'An invalid toleration, selector or CEL expression makes the scheduler bind an empty result: all clusters leave the decision within seconds, and the ApplicationSets uninstall the workload of the whole fleet at their next reconcile. `PlacementSatisfied` then says `NoManagedClusterMatched`, which misleads.',
    remedy:
      'Repair the field that the message of `PlacementMisconfigured` names: a toleration without key needs operator `Exists`, one with operator `Exists` must have no value; selector operators are In, NotIn, Exists and DoesNotExist.',
    sources: ['push-pull 1.4, 5 (30)', 'open-cluster-management-io/ocm:pkg/placement/plugins/tainttoleration'],
  },
  *run(fleet) {
    for (const { placement, clusters } of fleet.join(selection).byPlacement.values()) {
      const { namespace, name } = placement.meta
      const said = condition(placement, 'PlacementMisconfigured')
      const ought = fleet.join(placements).explain(namespace, name)?.misconfigured
      if (said?.status !== 'True' && ought?.status !== 'True') continue
      const text = said?.status === 'True' ? said.message : (ought?.message ?? '')
      yield {
        subject: placement.subject,
        message: `Placement "${name}" in namespace "${namespace}" is misconfigured: ${text}`,
        evidence: [
          conditionFact(placement, 'PlacementMisconfigured'),
          conditionFact(placement, 'PlacementSatisfied'),
          fact(placement, '', `${clusters.size} clusters in the decision`),
        ],
        effect:
          'the decision is emptied; ApplicationSets delete their Applications at the next reconcile, without an error',
        fix: `repair ${text.startsWith('TaintToleration') ? 'spec.tolerations' : 'spec.predicates'} of the Placement quickly, before the ApplicationSets requeue`,
      }
    }
  },
}
