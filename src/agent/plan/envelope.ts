import type { PlanInput } from '../../bootstrap/make-plan.ts'
import type { Plan } from '../../plan/plan.ts'
import { planOf } from '../../plan/plan-of.ts'
import { NO_PREVIEW } from '../../plan/preview.ts'

/** Lease by which runs that switch a hub exclude each other, in the namespace of the principal. */
export const AGENT_LEASE = 'fleetctl-agent'

type Content = Pick<Plan, 'title' | 'command' | 'steps'> & Partial<Pick<Plan, 'notes' | 'gates' | 'preview'>>

/** A plan about the agents of a hub. @param namespace of the principal */
export function agentPlanOf(content: Content, namespace: string, { loaded, source, now }: PlanInput): Plan {
  const { title, command, notes = [], gates = [], preview = NO_PREVIEW, steps } = content
  const exclusive = { namespace, name: AGENT_LEASE }
  return planOf({ title, command, notes, gates, preview, steps, exclusive }, { source, fleet: loaded.fleet, now })
}
