import type { Command } from 'commander'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'

/** Declares `schema`. */
export function declareSchema(program: Command, action: Action): void {
  program
    .command('schema')
    .argument('[kind]', 'DoctorReport, ApplicationTrace, ApplicationSetTrace, ClusterTrace, List, CheckList, ...')
    .description(
      'Prints the JSON Schema (2020-12) of a document that fleetctl prints as JSON or YAML; without a kind, one schema of ' +
        'all of them. Within fleetctl/v1 fields are only ever added.',
    )
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'json (default), yaml',
        examples: [
          ['Schema of a doctor report', 'schema DoctorReport'],
          ['All schemas in one document', 'schema > fleetctl.schema.json'],
          ['Kinds that have a schema', "schema -o 'custom-columns=KIND:.kind'"],
        ],
        exitCodes: [0, 2],
        permissions: 'none',
      }),
    )
    .action(action(async call => (await import('./run.ts')).schema(call)))
}
