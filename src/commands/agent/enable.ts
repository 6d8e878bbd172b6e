import { PHASE_KEYS, phaseOf } from '../../agent/plan/phases.ts'
import { EXIT, type ExitCode, FleetctlError, UsageError } from '../../errors.ts'
import { findRun, journalFolder, listRuns, type Run } from '../../plan/journal.ts'
import type { Plan } from '../../plan/plan.ts'
import { didYouMean } from '../../ui/nearest.ts'
import type { Call } from '../call.ts'
import { textOption } from '../flag-values.ts'
import { type ApplyHooks, applyLive } from '../plan/apply-live.ts'
import { runPlan } from '../plan/produce-plan.ts'
import { causesOn } from './causes.ts'
import { makeFor } from './make.ts'

/** Number of the plan's step after which to pause: a number itself, or the last step of a part of the procedure. */
function pauseAfter(call: Call, plan: Plan): number | undefined {
  const wanted = textOption(call.options, 'pauseAfter')
  if (wanted === undefined) return undefined
  if (/^\d+$/.test(wanted)) {
    if (plan.steps.some(step => step.number === Number(wanted))) return Number(wanted)
    throw new UsageError(`the plan has no step ${wanted}; it has ${plan.steps.length}`)
  }
  const key = PHASE_KEYS.find(name => name === wanted)
  if (key === undefined) {
    throw new UsageError(
      `--pause-after knows no step "${wanted}"${didYouMean(wanted, PHASE_KEYS, `: a number, or ${PHASE_KEYS.join(', ')}`)}`,
    )
  }
  const last = plan.steps.findLast(step => phaseOf(step.section) === key)
  if (last === undefined) throw new UsageError(`the plan has no step of ${key}`)
  return last.number
}

function agentHooks(call: Call, plan: Plan): ApplyHooks {
  return { pauseAfter: pauseAfter(call, plan), causes: async () => causesOn(call) }
}

const isAgentRun = (run: Run): boolean => run.plan.command[0] === 'agent'

/** The run that --resume means. @throws UsageError where there is none */
function runToResume(call: Call): Run {
  const folder = journalFolder(call.context.env)
  const id = textOption(call.options, 'resume')
  const isOpen = (run: Run): boolean => !run.isDone && run.reverted.size === 0
  const run =
    id === undefined
      ? listRuns(folder)
          .filter(r => isOpen(r) && isAgentRun(r))
          .at(-1)
      : findRun(folder, id)
  if (run === undefined) throw new UsageError('no run of agent was interrupted; "fleetctl plan list" shows them all')
  if (!isOpen(run)) throw new UsageError(`run ${run.id} is ${run.isDone ? 'done' : 'taken back'}`)
  return run
}

/** `fleetctl agent enable`. */
export async function enableAgents(call: Call): Promise<ExitCode> {
  if (call.options.resume !== undefined) {
    const run = runToResume(call)
    return applyLive(call, run.plan, run, agentHooks(call, run.plan))
  }
  return runPlan(
    call,
    async signal => {
      const { made, reader, close } = await makeFor(call, ['agent', 'enable'], signal)
      if (made.plan === undefined) {
        close()
        throw new FleetctlError(
          'refused, nothing was written: upstream is set up by hand; "fleetctl agent plan --setup upstream" says how',
          EXIT.refused,
        )
      }
      return { plan: made.plan, reader, close }
    },
    plan => agentHooks(call, plan),
  )
}
