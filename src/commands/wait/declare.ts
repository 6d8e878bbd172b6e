import { type Command, Option } from 'commander'
import { parseDuration } from '../duration.ts'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'
import { intervalOption } from '../watching/flags.ts'

/** Declares `wait`. */
export function declareWait(program: Command, action: Action): void {
  program
    .command('wait')
    .argument('<kind>', 'app, appset, placement, gitopscluster or fleet; or KIND/NAME')
    .argument('[name...]', 'NAME or NAMESPACE/NAME; several are waited for together')
    .description(
      'Waits until objects have what is asked, and says on stderr, a line for each change, what still blocks. The state of ' +
        'an Application is that of where it runs, not the copy on the hub; what cannot be seen is never taken for healthy. ' +
        'With --from a recording is judged once.',
    )
    .option(
      '--for <goal>',
      'healthy, synced, delivered, delivered=95% or delivered=12, registered, ready (default healthy or ready)',
    )
    .option('--quorum <share>', 'enough that this share has it, such as 95%')
    .option('--fail-fast', 'stop with exit code 1 as soon as it cannot come without somebody doing something')
    .addOption(
      new Option(
        '--grace <duration>',
        'let a member leave the goal, or be failed, for so long before it counts',
      ).argParser(value => parseDuration(value, '--grace')),
    )
    .addOption(intervalOption())
    .option('-n, --namespace <name>', 'namespace on the hub')
    .option('-A, --all-namespaces', 'search all namespaces, which is the default; wins over -n')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['Wait until an Application is healthy where it runs', 'wait app branding-bm --timeout 10m'],
          ['Stop as soon as somebody has to do something', 'wait appset branding-pull --fail-fast --grace 30s'],
          [
            'Until 95 % of the Applications of a Placement have arrived',
            'wait placement/production --for delivered=95%',
          ],
          ['Until every decided cluster is registered', 'wait gitopscluster gitops-production --for registered'],
          ['Is a recorded fleet healthy?', 'wait fleet --from ./fleet'],
        ],
        exitCodes: [0, 1, 2, 3, 4, 5],
        permissions:
          'what "fleetctl rbac --for doctor" prints, and watch on the kinds of the chain where changes shall be seen at once',
      }),
    )
    .action(action(async call => (await import('./run.ts')).wait(call)))
}
