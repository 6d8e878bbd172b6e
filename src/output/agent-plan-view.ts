import type { AgentPlan } from '../agent/agent-plan.ts'
import type { View } from './view.ts'

/** How the plan of a switch to agents is shown. `name` prints what would freeze. */
export const AGENT_PLAN_VIEW: View<AgentPlan> = {
  what: 'agent plan',
  forms: {
    text: async () => (await import('./agent-plan-text.ts')).renderAgentPlan,
    wide: async () => (await import('./agent-plan-text.ts')).renderAgentPlanWide,
  },
  rows: plan => plan.frozen,
  rowKind: 'FrozenApplication',
  names: plan => plan.frozen.map(f => f.subject),
}
