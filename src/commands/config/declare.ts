import type { Command } from 'commander'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'

/** Declares `config` with `config view`. */
export function declareConfig(program: Command, action: Action): void {
  const config = program
    .command('config')
    .description(
      'Settings come from flags, then from FLEETCTL_ variables, then from .fleetctl.yaml (found upward to the root of the ' +
        "repository), then from the user's fleetctl/config.yaml, else they are defaults.",
    )
    .addHelpText('after', context =>
      helpText(context.command, {
        examples: [
          ['What is set', 'config view'],
          ['And where each value is from', 'config view --show-origin'],
          ['What the files may hold', 'schema Config'],
        ],
        exitCodes: [0, 2],
        permissions: 'none',
      }),
    )
  config
    .command('view')
    .summary('show the settings that apply')
    .description(
      'Shows every flag that is set, with its value, and the suppressions of the settings files. Values that are secret are ' +
        'not shown.',
    )
    .option('--show-origin', 'say where each value is from')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['What is set', 'config view'],
          ['And where each value is from', 'config view --show-origin'],
          ['As JSON', 'config view -o json'],
        ],
        exitCodes: [0, 2],
        permissions: 'none',
      }),
    )
    .action(action(async call => (await import('./view.ts')).configView(call, program)))
}
