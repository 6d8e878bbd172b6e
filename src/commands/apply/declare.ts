import { type Command, Option } from 'commander'
import { GATE_CODES } from '../../bootstrap/part-names.ts'
import { commaList } from '../flags.ts'
import { helpText } from '../help-text.ts'
import { addApplyFlags } from '../plan/plan-flags.ts'
import type { Action } from '../run-action.ts'

/** Declares `apply`. */
export function declareApply(program: Command, action: Action): void {
  const command = program
    .command('apply')
    .description(
      'Applies a plan that --plan-out saved to the live hub. It is refused when an object has changed since the plan was ' +
        'made. With --resume a run that was interrupted goes on where it stopped.',
    )
    .addOption(new Option('-f, --filename <file>', 'plan to apply; "-" is stdin'))
    .addOption(new Option('--resume [run]', 'go on with a run; without an id, the newest that is not done'))
    .addOption(new Option('--accept <codes>', 'accept dangers of the plan by name').argParser(commaList))
  addApplyFlags(command)
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['Apply a saved plan', 'apply -f plan.json'],
          ['Let the server check it first', 'apply -f plan.json --dry-run=server'],
          ['Go on after an interruption', 'apply --resume'],
        ],
        exitCodes: [0, 2, 4, 5, 6, 7],
        permissions:
          'get and patch on every object of the plan, create where it is new, and what the plan names besides',
      }),
    )
    .action(action(async call => (await import('./run.ts')).apply(call, GATE_CODES)))
}
