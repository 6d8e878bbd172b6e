import type { PlanInput } from '../../bootstrap/make-plan.ts'
import { UsageError } from '../../errors.ts'
import { clusterSetLabel } from '../../fleet/placement/sets.ts'
import type { Plan } from '../../plan/plan.ts'
import type { AgentAccepted } from '../gates.ts'
import { makeSwitch } from '../make-agent-plan.ts'
import { agentRegistrar, managedCluster } from './registrar.ts'

interface AddRequest {
  readonly cluster: string
  /** Cluster set to put it into, where the Placement takes several. */
  readonly set: string | undefined
  readonly gitOpsCluster: string | undefined
  readonly accepted: AgentAccepted
}

/**
 * Plans to give one more cluster an agent: it comes into the set of the Placement that decides about agents.
 *
 * @throws UsageError where the Placement would not select it
 */
export async function addPlan(request: AddRequest, input: PlanInput): Promise<Plan> {
  const { fleet } = input.loaded
  const { cluster } = request
  const record = managedCluster(fleet, cluster)
  const { goc, argoNamespace, decided } = agentRegistrar(fleet, request.gitOpsCluster)
  if (decided === undefined) throw new UsageError(`GitOpsCluster ${goc.meta.name} names no Placement that is there`)
  const { placement } = decided
  const sets = placement.clusterSets
  const own = clusterSetLabel(record)
  const set = request.set ?? (own !== undefined && sets.includes(own) ? own : sets.length === 1 ? sets[0] : undefined)
  if (set === undefined) {
    throw new UsageError(
      `Placement ${placement.meta.name} takes clusters of ${sets.length === 0 ? 'every bound set' : sets.join(', ')}; say with --set where "${cluster}" is to be`,
    )
  }
  const { plan, hub } = await makeSwitch(
    {
      words: ['agent', 'add'],
      command: ['agent', 'add', cluster, '--set', set],
      setup: undefined,
      settings: {
        namespace: argoNamespace,
        set,
        clusters: [cluster],
        placement: placement.meta.name,
        gitopscluster: goc.meta.name,
      },
      agentNamespace: undefined,
      // The rights come with the Placement, and the principal is there.
      without: ['rbac', 'appset'],
      accepted: request.accepted,
    },
    input,
  )
  if (plan === undefined || !hub.clusters.includes(cluster)) {
    const why = plan?.preview.placements.flatMap(p => p.notSelected).find(n => n.cluster === cluster)?.detail
    throw new UsageError(
      `Placement ${placement.meta.name} would not select "${cluster}"${why === undefined ? '' : `: ${why}`}`,
    )
  }
  return plan
}
