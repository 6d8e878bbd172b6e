import { type Command, Option } from 'commander'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'

/** Declares `placement explain`. */
export function declarePlacement(program: Command, action: Action): void {
  const placement = program
    .command('placement')
    .description('Works out what the placement controller makes of a Placement, without asking it.')
    .addHelpText('after', context =>
      helpText(context.command, {
        examples: [
          ['What a Placement selects', 'placement explain openshift-gitops/production'],
          ['The same in a recording', 'placement explain production --from ./fleet'],
          ['What an edit would do', 'placement explain -f placement.yaml'],
        ],
        exitCodes: [0, 2, 3, 4, 5],
        permissions: 'list on managed clusters, sets, bindings, Placements and their decisions',
      }),
    )
  placement
    .command('explain')
    .argument('[name]', 'Placement as NAME or NAMESPACE/NAME')
    .summary('say for each cluster whether a Placement selects it, and why not')
    .description(
      'Says for each managed cluster whether the Placement selects it and, if not, what keeps it out: no set, a set that ' +
        'is not bound, a predicate, a taint, the count. With -f it is the preview of an edit: which clusters come and go, ' +
        'and which Applications are made and deleted by that.',
    )
    .option('-n, --namespace <name>', 'namespace of the Placement')
    .addOption(
      new Option(
        '-f, --filename <file>',
        'YAML with the edited Placement, and sets, bindings, clusters or ApplicationSets beside it; "-" is stdin',
      ),
    )
    .option('--allow-incomplete', 'exit 0, not 3, when something needed could not be seen')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['Why is a cluster not selected?', 'placement explain openshift-gitops/production --from ./fleet'],
          ['What would an edit do?', 'placement explain -f placement.yaml --from ./fleet'],
          [
            'Reasons as a table',
            "placement explain production --from ./fleet -o 'custom-columns=CLUSTER:.cluster,REASON:.reason'",
          ],
        ],
        exitCodes: [0, 2, 3, 4, 5],
        permissions: 'list on managed clusters, sets, bindings, Placements and their decisions',
      }),
    )
    .action(action(async call => (await import('./run.ts')).placementExplain(call)))
}
