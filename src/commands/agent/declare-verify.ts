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
        '--timeout). Nothing is written, unless --canary asks for an Application that is made for each managed agent, compared ' +
        'there and never synced, and taken away again when the command ends, in whatever way it ends.',
    )
    .option('--canary', 'send an Application to each agent, and take it away again')
    .option(
      '--repo-url <url>',
      'repository that a canary is compared with; default: that of an Application of its agent',
    )
    .option('--path <path>', 'folder in it (default .)')
    .option('--revision <revision>', 'branch, tag or commit (default HEAD)')
    .option('-y, --yes', 'do not ask before canaries are made')
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
          ['With an Application made for it', 'agent verify --canary --timeout 5m'],
          ['One agent of a recording', 'agent verify --from ./fleet --spoke bm'],
          ['Who is not verified', "agent verify --from ./fleet -o 'jsonpath={.blockers}'"],
        ],
        exitCodes: [0, 1, 2, 3, 4, 5, 6, 7],
        permissions:
          'live, what "fleetctl rbac --for doctor" prints; --canary also takes get, create, patch and delete on applications, and a Lease, in the namespace of the principal; with --from, read rights on the files',
      }),
    )
    .action(action(async call => (await import('./verify.ts')).agentVerify(call)))
}
