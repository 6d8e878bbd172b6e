import type { Command } from 'commander'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'
import { declareAgentStatus } from './declare-status.ts'
import { declareAgentVerify } from './declare-verify.ts'

/** The commands below `agent`, in the order of the help. */
const SUBCOMMANDS: readonly ((agent: Command, action: Action) => void)[] = [declareAgentStatus, declareAgentVerify]

/** Declares `agent` with its commands. */
export function declareAgent(program: Command, action: Action): void {
  const agent = program
    .command('agent')
    .description(
      'Argo CD agent mode of a hub: its principal, and the agents on the clusters that carry out what the hub says.',
    )
    .addHelpText('after', context =>
      helpText(context.command, {
        examples: [
          ['How principal and agents are', 'agent status'],
          ['The same in a recording', 'agent status --from ./fleet'],
          ['Does the way to each agent and back work?', 'agent verify --timeout 5m'],
        ],
        exitCodes: [0, 1, 2, 3, 4, 5],
        permissions: 'live, what "fleetctl rbac --for doctor" prints; with --from, read rights on the files',
      }),
    )
  for (const declare of SUBCOMMANDS) declare(agent, action)
}
