import { type Command, Option } from 'commander'
import { AGENT_GATE_CODES } from '../../agent/choices.ts'
import { commaList } from '../flags.ts'
import { helpText } from '../help-text.ts'
import { addPlanFlags } from '../plan/plan-flags.ts'
import type { Action } from '../run-action.ts'
import { addAgentFlags } from './flags.ts'

/** The flag by which exactly the Applications are named that a plan takes away from clusters. */
export function addAcceptLost(command: Command): Command {
  return command.addOption(
    new Option(
      '--accept-lost <names>',
      'accept that agents delete exactly these Applications with their workload',
    ).argParser(commaList),
  )
}

/** Declares `agent enable`. */
export function declareAgentEnable(agent: Command, action: Action): void {
  const command = agent
    .command('enable')
    .summary('switch the hub, step by step')
    .description(
      'Applies the plan: each step is written, then its signals are awaited. It stops at the first signal that does not ' +
        'come, names what the checks find, and goes on with --resume. Whatever was written is taken back with "agent ' +
        'revert". On a hub that is switched already it changes nothing.',
    )
  addAcceptLost(addPlanFlags(addAgentFlags(command), AGENT_GATE_CODES))
    .addOption(new Option('--pause-after <step>', 'stop after a step: its number, or a name as in "agent plan"'))
    .addOption(new Option('--resume [run]', 'go on with a run; without an id, the newest that is not done'))
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['Beside push, for the clusters of a Placement', 'agent enable --setup hybrid --placement edge-clusters'],
          [
            'Nothing of the hub but the principal',
            'agent enable --set edge --clusters bm,sno --accept-frozen hub-setup',
          ],
          ['Look at the hub between two steps', 'agent enable --placement edge-clusters --pause-after principal'],
          ['Go on', 'agent enable --resume'],
          ['As files for Git', 'agent enable --placement edge-clusters --export ./gitops'],
        ],
        exitCodes: [0, 2, 4, 5, 6, 7],
        permissions:
          'read rights on the delivery chain; get, create and patch on what is written; get, create, patch and delete on a Lease beside the principal',
      }),
    )
    .action(action(async call => (await import('./enable.ts')).enableAgents(call)))
}
