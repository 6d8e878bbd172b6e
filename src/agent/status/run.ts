import { CHECKS } from '../../checks/registry.ts'
import { diagnose } from '../../diagnosis.ts'
import type { FleetSource } from '../../source/source.ts'
import { type AgentStatusOptions, agentStatus } from './make.ts'
import { agentPlaces, checkAgentNames } from './place.ts'
import type { AgentStatus } from './status.ts'

/**
 * Reads a fleet and tells how agent mode is, with all of the doctor's checks behind it.
 *
 * @throws SourceError when the source can show nothing; UsageError for a spoke that is no agent
 */
export async function readAgentStatus(
  source: FleetSource,
  options: AgentStatusOptions & { readonly signal?: AbortSignal } = {},
): Promise<AgentStatus> {
  const diagnosis = await diagnose(source, CHECKS, options.signal)
  checkAgentNames(agentPlaces(diagnosis.fleet), options.spokes ?? [])
  return agentStatus(source, diagnosis, options)
}
