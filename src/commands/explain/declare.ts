import type { Command } from 'commander'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'

/** Declares `explain`. */
export function declareExplain(program: Command, action: Action): void {
  program
    .command('explain')
    .argument('<code...>', 'codes or slugs of checks; "-" reads findings, or a whole report, from stdin')
    .description('Prints what checks look at, why the fault happens and is often silent, and how to mend it.')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), json, yaml, jsonpath=...',
        examples: [
          ['Explain a finding by its code', 'explain FLT0102'],
          ['Explain several', 'explain FLT0102 FLT0507'],
          ['Explain whatever is found', 'doctor -o json | fleetctl explain -'],
          ['As JSON', 'explain FLT0102 -o json'],
          ['List all checks', 'doctor list'],
        ],
        exitCodes: [0, 2],
        permissions: 'none',
      }),
    )
    .action(action(async call => (await import('./run.ts')).explain(call)))
}
