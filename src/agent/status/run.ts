import { CHECKS } from '../../checks/registry.ts'
import { diagnose } from '../../diagnosis.ts'
import { UsageError } from '../../errors.ts'
import type { FleetSource } from '../../source/source.ts'
import { didYouMean } from '../../ui/nearest.ts'
import { type AgentStatusOptions, agentStatus } from './make.ts'
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
  const status = agentStatus(source, await diagnose(source, CHECKS, options.signal), options)
  const known = status.principals.flatMap(p => p.agents.map(a => a.name))
  const wrong = (options.spokes ?? []).find(name => !known.includes(name))
  if (wrong !== undefined && status.principals.length > 0)
    throw new UsageError(`no agent is called "${wrong}"${didYouMean(wrong, known, '')}`)
  return status
}
