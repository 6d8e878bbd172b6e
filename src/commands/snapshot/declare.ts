import { type Command, Option } from 'commander'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'

/** Declares `snapshot`. */
export function declareSnapshot(program: Command, action: Action): void {
  program
    .command('snapshot')
    .description(
      'Records the hub, and the managed clusters that --spoke names, as a recorded fleet that every command reads with ' +
        '--from: a folder, or an archive where the path ends in .tgz. What was refused or is not served is recorded too, ' +
        'so doctor and trace say the same of the snapshot as they would have said of the clusters. Of Secrets no value is ' +
        'written but name and server of Argo CD cluster secrets. -o takes the path, and a format for what is printed.',
    )
    .option(
      '--redact',
      'replace names of clusters, namespaces, hosts, users and applications, so that it can be passed on',
    )
    .addOption(new Option('--mapping <file>', 'where --redact writes what stands for what (default PATH.mapping.json)'))
    .option('--force', 'replace an earlier snapshot')
    .option('--allow-incomplete', 'exit 0, not 3, when something could not be read')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['Record the hub and two managed clusters', 'snapshot -o fleet.tgz --spoke bm,sno'],
          ['A folder, in place of an earlier one', 'snapshot -o ./fleet --force'],
          ['For a support case: without names', 'snapshot -o case.tgz --redact'],
          ['Make a small, redacted snapshot of a must-gather', 'snapshot --from ./must-gather -o case.tgz --redact'],
          ['Say in JSON what was not recorded', 'snapshot -o fleet.tgz -o json'],
        ],
        exitCodes: [0, 2, 3, 4, 5, 6],
        permissions: 'what "fleetctl rbac --for snapshot" prints; with --from, read rights on the files',
      }),
    )
    .action(action(async call => (await import('./run.ts')).snapshot(call)))
}
