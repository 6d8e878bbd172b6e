import type { DecisionGroup, LabelExpression, ManagedCluster, Placement } from '../records.ts'
import { matchesRequirement, requirementsError, requirementsOf } from './selector.ts'

/** A group whose selector is invalid: the decisions of this group and of all later ones are lost. */
interface GroupProblem {
  readonly message: string
  /** The clusters that groups before it hold: these alone stay in the decision. */
  readonly kept: (cluster: ManagedCluster) => boolean
}

function labelRequirements(group: DecisionGroup): readonly LabelExpression[] {
  return group.labelSelector === undefined ? [] : requirementsOf(group.labelSelector)
}

function inGroup(group: DecisionGroup, cluster: ManagedCluster): boolean {
  return (
    labelRequirements(group).every(r => matchesRequirement(cluster.meta.labels, r)) &&
    group.claimExpressions.every(r => matchesRequirement(cluster.claims, r))
  )
}

/**
 * The first decision group with an invalid selector. Source: open-cluster-management-io/ocm
 * pkg/placement/controllers/scheduling/scheduling_controller.go generateDecisionGroups.
 */
export function groupProblem({ decisionGroups = [] }: Placement): GroupProblem | undefined {
  for (const [i, group] of decisionGroups.entries()) {
    const message = requirementsError(labelRequirements(group)) ?? requirementsError(group.claimExpressions)
    if (message === undefined) continue
    const before = decisionGroups.slice(0, i)
    return { message: `:${message}`, kept: cluster => before.some(earlier => inGroup(earlier, cluster)) }
  }
  return undefined
}
