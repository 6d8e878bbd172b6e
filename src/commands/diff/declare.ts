import type { Command } from 'commander'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'

/** Declares `diff`. */
export function declareDiff(program: Command, action: Action): void {
  program
    .command('diff')
    .argument('<before>', 'snapshot, or any other path that --from takes')
    .argument('[after]', 'a later one; the live clusters where there is none')
    .description(
      'Compares two states of a fleet in terms of the delivery chain: managed clusters, decisions of Placements, cluster ' +
        'secrets of Argo CD, Applications on the hub and on managed clusters, ManifestWorks, and what the doctor finds in ' +
        'each. What could not be seen in one of the states is not called added or removed.',
    )
    .option('--exit-code', 'exit 1 when there is a difference')
    .option('--show-symptoms', 'list findings that others explain, too')
    .option('--allow-incomplete', 'exit 0, not 3, when something could not be compared')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['What changed since a snapshot', 'diff before.tgz --spoke bm,sno'],
          ['Between two snapshots', 'diff before.tgz after.tgz'],
          ['Fail a pipeline on a difference', 'diff before.tgz --exit-code'],
          ['New findings only', 'diff before.tgz after.tgz -o \'jsonpath={.findings[?(@.change=="new")].code}\''],
        ],
        exitCodes: [0, 1, 2, 3, 4, 5],
        permissions: 'for live clusters, what "fleetctl rbac --for doctor" prints; for paths, read rights on the files',
      }),
    )
    .action(action(async call => (await import('./run.ts')).diff(call)))
}
