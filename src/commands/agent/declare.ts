import type { Command } from 'commander'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'
import { declareAgentAppSet } from './declare-appset.ts'
import { declareAgentAdd, declareAgentRemove, declareAgentRotateCerts } from './declare-clusters.ts'
import { declareAgentEnable } from './declare-enable.ts'
import { declareAgentPlan } from './declare-plan.ts'
import { declareAgentRevert } from './declare-revert.ts'
import { declareAgentStatus } from './declare-status.ts'
import { declareAgentVerify } from './declare-verify.ts'

/** The commands of `agent`, in the order of its help. */
const SUBCOMMANDS: readonly ((agent: Command, action: Action) => void)[] = [
  declareAgentPlan,
  declareAgentEnable,
  declareAgentStatus,
  declareAgentVerify,
  declareAgentRevert,
  declareAgentAppSet,
  declareAgentAdd,
  declareAgentRemove,
  declareAgentRotateCerts,
]

/** Declares `agent` with its commands. */
export function declareAgent(program: Command, action: Action): void {
  const agent = program
    .command('agent')
    .description(
      'Switches a hub to the Argo CD Agent, and watches it work: its Argo CD becomes a principal, each cluster gets an ' +
        'agent that carries out its Applications.',
    )
    .addHelpText('after', context =>
      helpText(context.command, {
        examples: [
          ['What would it take, and what would freeze?', 'agent plan'],
          ['In a recording', 'agent plan --from ./fleet'],
          ['Beside push', 'agent plan --setup hybrid'],
          ['How principal and agents are', 'agent status'],
          ['Does the way to each agent and back work?', 'agent verify --timeout 5m'],
        ],
        exitCodes: [0, 1, 2, 3, 4, 5, 6, 7],
        permissions: 'as for doctor; each command that writes names what it needs besides',
      }),
    )
  for (const declare of SUBCOMMANDS) declare(agent, action)
}
