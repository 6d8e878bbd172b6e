import { readAgentStatus } from '../../src/agent/status/run.ts'
import type { AgentStatus, PartStatus } from '../../src/agent/status/status.ts'
import { type RecordedFleet, recorded } from '../support/fleets.ts'

/** Recorded fleets of hubs in agent mode. */
export const isAgentFleet = (name: string): boolean => name.startsWith('agent-')

export interface NamedPart extends PartStatus {
  /** Name of the agent; empty for a part of the principal. */
  readonly agent: string
}

export function partsOf(status: AgentStatus): NamedPart[] {
  return status.principals.flatMap(p => [
    ...p.parts.map(part => ({ agent: '', ...part })),
    ...p.agents.flatMap(a => a.parts.map(part => ({ agent: a.name, ...part }))),
  ])
}

export async function statusOf(fleet: string | RecordedFleet): Promise<AgentStatus> {
  return readAgentStatus(typeof fleet === 'string' ? await recorded(fleet) : fleet)
}

/** The state of one part; undefined where there is none. */
export function stateOf(status: AgentStatus, part: string, agent = ''): string | undefined {
  return partsOf(status).find(p => p.part === part && p.agent === agent)?.state
}
