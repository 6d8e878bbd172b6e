import { type Command, Option } from 'commander'
import type { Severity } from '../../checks/check.ts'
import { oneOf } from '../flags.ts'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'
import { withWatch } from '../watching/flags.ts'

/** Declares `agent status`. */
export function declareAgentStatus(agent: Command, action: Action): void {
  withWatch(agent.command('status'))
    .summary('show principal and agents, part by part')
    .description(
      'Shows the principal with its address and certificates, and for each agent its cluster secret, certificate, add-on, ' +
        'policy, version, connection and Applications, each with its state and the finding of the doctor that explains it. ' +
        'What only logs or metrics could tell is unknown, with the command that would tell. On a hub without agent mode it ' +
        'says what is there instead.',
    )
    .addOption(
      new Option(
        '--fail-on <severity>',
        'exit 1 from this severity on: error, warning or info (default error)',
      ).argParser(oneOf<Severity>('--fail-on', ['error', 'warning', 'info'])),
    )
    .option('--principal-logs', 'read the newest lines of the log of the principal, too; live only')
    .option('--metrics', 'read the metrics of the principal, too; live only')
    .option('--show-symptoms', 'list the findings that are folded under their cause')
    .option('--allow-incomplete', 'exit 0, not 3, when something could not be seen')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, short, json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['How principal and agents are', 'agent status'],
          ['In a recording, only what is not well', 'agent status --from ./fleet -o short'],
          ['One agent', 'agent status --from ./fleet --spoke bm'],
          ['Keep watching while agents arrive', 'agent status -w'],
          ['With what only log and metrics of the principal tell', 'agent status --principal-logs --metrics'],
          [
            'Parts and states as a table',
            "agent status --from ./fleet -o 'custom-columns=AGENT:.agent,PART:.part,STATE:.state'",
          ],
        ],
        exitCodes: [0, 1, 2, 3, 4, 5],
        permissions:
          'live, what "fleetctl rbac --for doctor" prints; --principal-logs also takes get on pods/log, and --metrics get on services/proxy, in the namespace of the principal; with --from, read rights on the files',
      }),
    )
    .action(action(async call => (await import('./status.ts')).agentStatus(call)))
}
