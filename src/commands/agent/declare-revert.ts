import type { Command } from 'commander'
import { helpText } from '../help-text.ts'
import { addApplyFlags } from '../plan/plan-flags.ts'
import type { Action } from '../run-action.ts'
import { addAcceptLost } from './declare-enable.ts'

/** Declares `agent revert`. */
export function declareAgentRevert(agent: Command, action: Action): void {
  const command = agent
    .command('revert')
    .argument(
      '[run]',
      'id of the run, or its beginning; without it, every run of "agent enable" on this hub, newest first',
    )
    .summary('take a switch back')
    .description(
      'Goes the way back in the order in which nothing loses what it needs: the Applications while agents still work, the ' +
        'registration and all that ACM made of it, then the principal, whose fields go back to what they were. It also ' +
        'takes back a switch that stopped half-way, and goes on where it was interrupted. Without a journal it works the ' +
        'way back out from what is there, and says what it cannot know.',
    )
    .option('-n, --namespace <name>', 'without a journal: namespace of the principal')
    .option('--leftovers', 'without a journal: delete certificates, keys and the CA of the principal, too')
  addAcceptLost(addApplyFlags(command))
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['See what would be done', 'agent revert --dry-run=client'],
          ['Take the switch back', 'agent revert'],
          ['One run', 'agent revert 20261130T154106Z-1f3a2c --yes'],
        ],
        exitCodes: [0, 2, 4, 5, 6, 7],
        permissions:
          'read rights on the delivery chain; get, patch and delete on what was written and on what ACM made of it; get, create, patch and delete on a Lease',
      }),
    )
    .action(action(async call => (await import('./revert.ts')).revertAgents(call)))
}
