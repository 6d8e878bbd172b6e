import { setTimeout as sleep } from 'node:timers/promises'
import { agentPlaces, checkAgentNames } from '../../agent/status/place.ts'
import type { AgentVerification } from '../../agent/status/verification.ts'
import { heardOfAgents, verifyAgents } from '../../agent/status/verify.ts'
import { CHECKS } from '../../checks/registry.ts'
import { diagnose } from '../../diagnosis.ts'
import { EXIT, type ExitCode, UsageError } from '../../errors.ts'
import { AGENT_VERIFICATION_VIEW } from '../../output/agent-views.ts'
import { type Call, note, openSource, reading } from '../call.ts'
import { listOption } from '../flag-values.ts'
import { produce } from '../produce.ts'
import type { Canaries } from './canary.ts'

const LONGEST_WAIT_MS = 10 * 60_000
const PAUSE_MS = 10_000

function isWaiting({ flags, options }: Call): boolean {
  return flags.from === undefined && options.wait !== false
}

/** Looks again until nothing blocks any more, or one more look does not fit into the time. */
async function verified(call: Call, canaries: Canaries | undefined, signal: AbortSignal): Promise<AgentVerification> {
  const started = Date.now()
  const limit = !isWaiting(call) ? 0 : call.flags.timeout > 0 ? call.flags.timeout : LONGEST_WAIT_MS
  const spokes = [...new Set(listOption(call.options, 'spoke'))]
  let newerThan: ReadonlyMap<string, number> | undefined
  let told = ''
  for (;;) {
    const looked = Date.now()
    const source = await openSource(call)
    const diagnosis = await diagnose(source, CHECKS, signal)
    checkAgentNames(agentPlaces(diagnosis.fleet), spokes)
    if (call.options.waitForNew === true) newerThan ??= heardOfAgents(diagnosis)
    const result = verifyAgents(source, diagnosis, {
      spokes,
      ...(newerThan === undefined ? {} : { newerThan }),
      ...(canaries === undefined ? {} : { by: canaries.byAgent }),
    })
    const took = Date.now() - looked
    const left = started + limit - Date.now() - PAUSE_MS - took
    if (result.blockers.length === 0 || left <= 0) return result
    const text = result.blockers.join('; ')
    if (text !== told) note(call, `waiting: ${text}`)
    told = text
    await sleep(Math.min(PAUSE_MS, left), undefined, { signal })
  }
}

/** One that cannot be judged leaves its health open; one that was waited for in vain is a timeout. */
function verificationExitCode(call: Call, result: AgentVerification): ExitCode {
  if (result.blockers.length > 0) return isWaiting(call) ? EXIT.timeout : EXIT.findings
  const isOpen = result.agents.some(a => a.verdict === 'unknown') || result.source.problems.length > 0
  return isOpen && call.options.allowIncomplete !== true ? EXIT.incomplete : EXIT.ok
}

/** `fleetctl agent verify`. */
export async function agentVerify(call: Call): Promise<ExitCode> {
  if (call.options.waitForNew === true && !isWaiting(call))
    throw new UsageError('--wait-for-new waits for a live hub and cannot go with --from or --no-wait')
  if (call.options.canary !== true) {
    const stray = ['repoUrl', 'path', 'revision', 'yes'].find(name => call.options[name] !== undefined)
    if (stray !== undefined) throw new UsageError('--repo-url, --path, --revision and --yes go with --canary')
    return judge(call, undefined)
  }
  const { sendCanaries } = await import('./canary.ts')
  const canaries = await sendCanaries(call)
  let exitCode: ExitCode
  try {
    exitCode = await judge(call, canaries)
  } catch (error) {
    await canaries.clear()
    throw error
  }
  return (await canaries.clear()) ? exitCode : EXIT.partlyWritten
}

async function judge(call: Call, canaries: Canaries | undefined): Promise<ExitCode> {
  return produce(call, {
    view: AGENT_VERIFICATION_VIEW,
    doing: reading(call),
    run: async signal => {
      const result = await verified(call, canaries, signal)
      if (result.agents.length === 0)
        throw new UsageError('there is no agent to verify; "agent status" says what is there')
      return result
    },
    exitCode: result => verificationExitCode(call, result),
    show: {
      allowIncomplete: call.options.allowIncomplete === true,
      showSymptoms: call.options.showSymptoms === true,
    },
  })
}
