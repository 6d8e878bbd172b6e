import type { AgentHub } from './hub.ts'
import { APPLICATION_CHECKS } from './preconditions/applications.ts'
import { CLUSTER_CHECKS } from './preconditions/clusters.ts'
import { INSTANCE_CHECKS } from './preconditions/instance.ts'
import { OPERATOR_CHECKS } from './preconditions/operator.ts'
import { PLATFORM_CHECKS } from './preconditions/platform.ts'
import type { Precondition, PreconditionCheck } from './preconditions/precondition.ts'
import { SURROUNDING_CHECKS } from './preconditions/surroundings.ts'

const CHECKS: readonly PreconditionCheck[] = [
  ...INSTANCE_CHECKS,
  ...OPERATOR_CHECKS,
  ...APPLICATION_CHECKS,
  ...CLUSTER_CHECKS,
  ...PLATFORM_CHECKS,
  ...SURROUNDING_CHECKS,
]

/** Every precondition of a switch, in the order of the instance, its operator, its Applications, the clusters and the hub. */
export function preconditionsOf(hub: AgentHub): readonly Precondition[] {
  return CHECKS.map(({ code, title, weight, judge }) => {
    const { state, seen, todo = '' } = judge(hub)
    return { code, title, weight, state, seen, todo }
  })
}

/** Those that keep a plan from being carried out. What freezes has a gate of its own, which can be accepted. */
export function blocking(preconditions: readonly Precondition[]): readonly Precondition[] {
  return preconditions.filter(p => p.state === 'failed' && p.weight === 'blocks' && p.code !== 'none-freezes')
}
