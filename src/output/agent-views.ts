import type { AgentStatus, PartStatus } from '../agent/status/status.ts'
import type { AgentVerification } from '../agent/status/verification.ts'
import type { View } from './view.ts'

/** A part with the principal and the agent that it is of, as lines and columns show it. */
interface PartRow extends PartStatus {
  /** `namespace/name` of the ArgoCD. */
  readonly principal: string
  /** Empty for a part of the principal itself. */
  readonly agent: string
}

function partRows({ principals }: AgentStatus): PartRow[] {
  return principals.flatMap(({ subject, parts, agents }) => {
    const principal = `${subject.namespace}/${subject.name}`
    return [
      ...parts.map(part => ({ principal, agent: '', ...part })),
      ...agents.flatMap(a => a.parts.map(part => ({ principal, agent: a.name, ...part }))),
    ]
  })
}

export const AGENT_STATUS_VIEW: View<AgentStatus> = {
  what: 'agent status',
  forms: {
    text: async () => (await import('./agent-status-text.ts')).renderAgentStatusText,
    wide: async () => (await import('./agent-status-text.ts')).renderAgentStatusWide,
    short: async () => (await import('./agent-status-text.ts')).renderAgentStatusShort,
  },
  rows: partRows,
  rowKind: 'AgentPart',
  names: status => partRows(status).map(row => row.subject),
}

export const AGENT_VERIFICATION_VIEW: View<AgentVerification> = {
  what: 'agent verify',
  forms: {
    text: async () => (await import('./agent-verify-text.ts')).renderAgentVerifyText,
    wide: async () => (await import('./agent-verify-text.ts')).renderAgentVerifyWide,
    short: async () => (await import('./agent-verify-text.ts')).renderAgentVerifyShort,
  },
  rows: result => result.agents,
  rowKind: 'AgentVerdict',
  names: result => result.agents.flatMap(agent => agent.roundTrips.map(trip => trip.subject)),
}
