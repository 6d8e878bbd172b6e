import { readAgentStatus } from '../../agent/status/run.ts'
import type { AgentStatus } from '../../agent/status/status.ts'
import type { Severity } from '../../checks/check.ts'
import { EXIT, type ExitCode } from '../../errors.ts'
import { AGENT_STATUS_VIEW } from '../../output/agent-views.ts'
import { atOrAbove } from '../../output/severity.ts'
import { type Call, openSource, reading } from '../call.ts'
import { listOption, textOption } from '../flag-values.ts'
import { produce } from '../produce.ts'

interface Threshold {
  readonly failOn: Severity
  readonly allowIncomplete: boolean
}

/** Broken parts have a finding, so that the exit code is the doctor's; without a sign of an agent its health is not known. */
export function agentStatusExitCode(status: AgentStatus, { failOn, allowIncomplete }: Threshold): ExitCode {
  const findings = [...status.findings, ...status.elsewhere]
  if (findings.some(f => atOrAbove(f.severity, failOn))) return EXIT.findings
  const isSilent = status.principals.some(p =>
    p.agents.some(a => a.parts.some(part => part.part === 'connection' && part.state === 'unknown')),
  )
  const isIncomplete = isSilent || status.unseen.length > 0 || status.source.problems.length > 0
  return isIncomplete && !allowIncomplete ? EXIT.incomplete : EXIT.ok
}

/** `fleetctl agent status`. */
export async function agentStatus(call: Call): Promise<ExitCode> {
  const failOn = textOption(call.options, 'failOn')
  const threshold: Threshold = {
    failOn: failOn === 'warning' || failOn === 'info' ? failOn : 'error',
    allowIncomplete: call.options.allowIncomplete === true,
  }
  const spokes = [...new Set(listOption(call.options, 'spoke'))]
  return produce(call, {
    view: AGENT_STATUS_VIEW,
    doing: reading(call),
    run: async signal => readAgentStatus(await openSource(call), { spokes, signal }),
    exitCode: status => agentStatusExitCode(status, threshold),
    show: { ...threshold, showSymptoms: call.options.showSymptoms === true },
  })
}
