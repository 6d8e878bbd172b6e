import type { Command } from 'commander'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'
import { addAgentFlags } from './flags.ts'

/** Declares `agent plan`. */
export function declareAgentPlan(agent: Command, action: Action): void {
  addAgentFlags(
    agent
      .command('plan')
      .summary('say what a switch to agents needs, does, and would freeze')
      .description(
        'Reads the hub and says what must hold before it becomes a principal of agents, which Applications would freeze ' +
          'without its controller and how each can live on, which set-up fits, and every step with what shows that it is ' +
          'complete and the way back. Nothing is written.',
      ),
  )
    .option('--allow-incomplete', 'exit 0, not 3, when Applications could not be seen')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['In a recording', 'agent plan --from ./fleet'],
          ['Beside push', 'agent plan --setup hybrid --placement production-clusters'],
          ['What would freeze', "agent plan -o 'custom-columns=NAME:.subject.name,CLUSTER:.cluster'"],
        ],
        exitCodes: [0, 2, 3, 4, 5, 6],
        permissions: 'as for doctor: read rights on the delivery chain of the hub',
      }),
    )
    .action(action(async call => (await import('./plan.ts')).planAgents(call)))
}
