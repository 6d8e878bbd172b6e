import { type Command, Option } from 'commander'
import { RBAC_COMMANDS } from '../../rbac/commands.ts'
import { collect, commaList, oneOf } from '../flags.ts'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'

/** Declares `rbac` and `rbac can-i`. */
export function declareRbac(program: Command, action: Action): void {
  const rbac = program
    .command('rbac')
    .description(
      'Prints the least roles with which a run sees everything, derived from what the checks read. They are YAML documents ' +
        'for kubectl apply; comments say how to bind them. Which namespaces matter changes with the fleet, so by default ' +
        'what is listed in namespaces is a ClusterRole, and Secrets are apart; --exact and --from give a Role for each ' +
        'namespace that matters now.',
    )
    .addOption(
      new Option(
        '--for <command>',
        'command that is to run: doctor, trace, snapshot, bootstrap, agent (all of its commands, and bootstrap agent), or fix ' +
          'for doctor fix (default doctor)',
      ).argParser(oneOf('--for', RBAC_COMMANDS)),
    )
    .addOption(
      new Option('--on <side>', 'cluster that the roles are for: hub or spoke (default hub)').argParser(
        oneOf('--on', ['hub', 'spoke']),
      ),
    )
    .addOption(
      new Option('-n, --namespace <names>', 'namespaces of Argo CD: Secrets are read there only').argParser(commaList),
    )
    .addOption(
      new Option(
        '--to <subject>',
        'print bindings too: user:NAME, group:NAME or serviceaccount:NAMESPACE:NAME (repeatable)',
      ).argParser(collect),
    )
    .option('--watch', 'with what wait and -w watch, so that they see changes at once')
    .option('--exact', 'look at the hub, and print Roles for the namespaces that matter now')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default: YAML with comments), table, yaml, json, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['Roles of the hub', 'rbac --for doctor | kubectl apply -f -'],
          ['Roles of the managed clusters', 'rbac --for doctor --on spoke | kubectl apply --context bm -f -'],
          ['A Role for each namespace of a recorded fleet', 'rbac --for doctor --from ./fleet'],
          ['To set up delivery', 'rbac --for bootstrap -n argocd --to group:platform-team'],
          ['Without the right to read Secrets', 'rbac --for trace --no-secrets'],
          ['What is read where, as a table', 'rbac -o table'],
        ],
        exitCodes: [0, 2, 3, 4, 5],
        permissions: 'none; with --exact, list rights on the kinds that tell which namespaces matter',
      }),
    )
  rbac.action(action(async call => (await import('./run.ts')).rbac(call)))

  rbac
    .command('can-i')
    .summary('show what the current user lacks for a run')
    .description(
      'Asks the hub, and the managed clusters that --spoke names, what the current user may do, and prints a row for each ' +
        'right that a run needs and the user does not have. Namespaces are those that the user can find.',
    )
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['Before a run', 'rbac can-i'],
          ['With two managed clusters', 'rbac can-i --spoke bm,sno'],
          ['For a service account', 'rbac can-i --as system:serviceaccount:ci:fleetctl'],
          ['What is missing, for a script', "rbac can-i -o 'jsonpath={.missing[*].resource}'"],
        ],
        exitCodes: [0, 2, 3, 4, 5],
        permissions:
          'create on selfsubjectaccessreviews.authorization.k8s.io, which every user has; list on the kinds that tell which ' +
          'namespaces matter',
      }),
    )
    .action(action(async call => (await import('./can-i.ts')).canI(call)))
}
