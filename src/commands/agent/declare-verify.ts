import type { Command } from 'commander'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'

/** Declares `agent verify`. */
export function declareAgentVerify(agent: Command, action: Action): void {
  agent
    .command('verify')
    .summary('judge whether the way to each agent and back works')
    .description(
      'Judges for each agent, from the Applications that are there, whether they went to it and their status came back, and ' +
        'how long ago. A live hub is looked at again until every agent is verified or the time is over (10 minutes without ' +
        '--timeout). Nothing is written.',
    )
    .option('--wait-for-new', 'only a status that came back since the command began counts; live only')
    .option('--no-wait', 'look once')
    .option('--show-symptoms', 'list the findings that are folded under their cause')
    .option('--allow-incomplete', 'exit 0, not 3, when an agent cannot be judged')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, short, json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['Wait until every agent is verified', 'agent verify --timeout 5m'],
          ['After a restart of the principal', 'agent verify --wait-for-new --timeout 10m'],
          ['One agent of a recording', 'agent verify --from ./fleet --spoke bm'],
          ['Who is not verified', "agent verify --from ./fleet -o 'jsonpath={.blockers}'"],
        ],
        exitCodes: [0, 1, 2, 3, 4, 5],
        permissions: 'live, what "fleetctl rbac --for doctor" prints; with --from, read rights on the files',
      }),
    )
    .action(action(async call => (await import('./verify.ts')).agentVerify(call)))
}
