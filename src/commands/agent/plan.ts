import type { AgentPlan } from '../../agent/agent-plan.ts'
import { agentPlan } from '../../agent/report.ts'
import { EXIT, type ExitCode } from '../../errors.ts'
import { AGENT_PLAN_VIEW } from '../../output/agent-plan-view.ts'
import { type Call, reading } from '../call.ts'
import { listOption } from '../flag-values.ts'
import { produce } from '../produce.ts'
import { makeFor } from './make.ts'

/** What freezes has to be accepted or avoided; what could not be seen may freeze, too. */
function exitCodeOf(plan: AgentPlan, isIncompleteFine: boolean): ExitCode {
  if (plan.blockers.some(text => text.startsWith('frozen-applications: '))) return EXIT.refused
  const isBlind = plan.preconditions.some(p => p.code === 'none-freezes' && p.state === 'unknown')
  return isBlind && !isIncompleteFine ? EXIT.incomplete : EXIT.ok
}

/** `fleetctl agent plan`. */
export async function planAgents(call: Call): Promise<ExitCode> {
  const isIncompleteFine = call.options.allowIncomplete === true
  return produce(call, {
    view: AGENT_PLAN_VIEW,
    doing: reading(call),
    run: async signal => {
      const { made, source, loaded, close } = await makeFor(call, ['agent', 'enable'], signal)
      close()
      return agentPlan(made, source, loaded, listOption(call.options, 'acceptFrozen'))
    },
    exitCode: plan => exitCodeOf(plan, isIncompleteFine),
    show: { allowIncomplete: isIncompleteFine },
  })
}
