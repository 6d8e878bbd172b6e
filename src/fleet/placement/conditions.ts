import type { PlacementSets } from './eligible-sets.ts'

/** A condition as the controller writes it; status `''` where it writes none, or where it cannot be told. */
export interface ExpectedCondition {
  readonly status: 'True' | 'False' | ''
  readonly reason: string
  readonly message: string
}

export const NO_CONDITION: ExpectedCondition = { status: '', reason: '', message: '' }

const unsatisfied = (reason: string, message: string): ExpectedCondition => ({ status: 'False', reason, message })

/**
 * What PlacementSatisfied says. The first case that holds wins, so a Placement that nothing matches for want of a set never
 * says so. Source: open-cluster-management-io/ocm pkg/placement/controllers/scheduling/scheduling_controller.go
 * newSatisfiedCondition.
 *
 * @param available clusters in eligible sets that are not terminating
 * @param selected clusters in the decision
 * @param unscheduled how many more `.spec.numberOfClusters` asks for
 */
export function satisfiedCondition(
  sets: PlacementSets,
  { available, selected, unscheduled }: Record<'available' | 'selected' | 'unscheduled', number>,
): ExpectedCondition {
  if (sets.bound.length === 0) {
    return unsatisfied('NoManagedClusterSetBindings', 'No valid ManagedClusterSetBindings found in placement namespace')
  }
  if (sets.eligible.length === 0) {
    const asked = sets.asked.join(',')
    return unsatisfied('NoIntersection', `None of ManagedClusterSets [${asked}] is bound to placement namespace`)
  }
  if (available === 0) {
    const eligible = sets.eligible.join(',')
    return unsatisfied(
      'AllManagedClusterSetsEmpty',
      `All ManagedClusterSets [${eligible}] have no member ManagedCluster`,
    )
  }
  if (selected === 0) {
    return unsatisfied('NoManagedClusterMatched', 'No ManagedCluster matches any of the cluster predicate')
  }
  if (unscheduled === 0) {
    return { status: 'True', reason: 'AllDecisionsScheduled', message: 'All cluster decisions scheduled' }
  }
  return unsatisfied('NotAllDecisionsScheduled', `${unscheduled} cluster decisions unscheduled`)
}

/** What PlacementMisconfigured says. `problem` is `<plugin>:<text>`, undefined when everything is valid. */
export function misconfiguredCondition(problem: string | undefined): ExpectedCondition {
  return problem === undefined
    ? { status: 'False', reason: 'Succeedconfigured', message: 'Placement configurations check pass' }
    : { status: 'True', reason: 'Misconfigured', message: problem }
}
