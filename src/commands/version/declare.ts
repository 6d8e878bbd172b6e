import type { Command } from 'commander'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'

/** Declares `version`. */
export function declareVersion(program: Command, action: Action): void {
  program
    .command('version')
    .description('Prints the version of fleetctl and of the Node.js that runs it. Asks no server.')
    .option('--client', 'the version of fleetctl only, which is all that is printed without a live cluster')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), json, yaml, jsonpath=...',
        examples: [
          ['Print the version', 'version'],
          ['For a script', "version -o 'jsonpath={.client.version}'"],
          ['As JSON', 'version -o json'],
        ],
        exitCodes: [0, 2],
        permissions: 'none',
      }),
    )
    .action(action(async call => (await import('./run.ts')).version(call)))
}
