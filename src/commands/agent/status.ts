import { readAgentStatus } from '../../agent/status/run.ts'
import type { AgentStatus } from '../../agent/status/status.ts'
import type { Severity } from '../../checks/check.ts'
import { EXIT, type ExitCode, UsageError } from '../../errors.ts'
import { AGENT_STATUS_VIEW } from '../../output/agent-views.ts'
import { atOrAbove } from '../../output/severity.ts'
import { type Call, openSource, reading } from '../call.ts'
import { listOption, textOption } from '../flag-values.ts'
import { produceOrWatch } from '../watching/produce-or-watch.ts'

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

/** The status with what logs and metrics say. */
async function deep(call: Call, status: AgentStatus): Promise<AgentStatus> {
  const [{ withEvidence }, { openEvidence }] = await Promise.all([
    import('../../agent/status/evidence.ts'),
    import('./principal-evidence.ts'),
  ])
  const evidence = openEvidence(call)
  try {
    return await withEvidence(status, evidence)
  } finally {
    evidence.close()
  }
}

/** `fleetctl agent status`. */
export async function agentStatus(call: Call): Promise<ExitCode> {
  const failOn = textOption(call.options, 'failOn')
  const threshold: Threshold = {
    failOn: failOn === 'warning' || failOn === 'info' ? failOn : 'error',
    allowIncomplete: call.options.allowIncomplete === true,
  }
  const isDeep = call.options.principalLogs === true || call.options.metrics === true
  if (isDeep && call.flags.from !== undefined)
    throw new UsageError('--principal-logs and --metrics ask a live hub; a recording has neither')
  const spokes = [...new Set(listOption(call.options, 'spoke'))]
  return produceOrWatch(call, {
    view: AGENT_STATUS_VIEW,
    doing: reading(call),
    run: async signal => {
      const status = await readAgentStatus(await openSource(call), { spokes, signal })
      return isDeep ? deep(call, status) : status
    },
    exitCode: status => agentStatusExitCode(status, threshold),
    show: { ...threshold, showSymptoms: call.options.showSymptoms === true },
  })
}
