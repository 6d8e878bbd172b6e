import { type Command, Option } from 'commander'
import type { Severity } from '../../checks/check.ts'
import { FIX_GATES } from '../../fixes/gate-codes.ts'
import { parseDuration } from '../duration.ts'
import { commaList, oneOf } from '../flags.ts'
import { helpText } from '../help-text.ts'
import { addPlanFlags } from '../plan/plan-flags.ts'
import type { Action } from '../run-action.ts'
import { withWatch } from '../watching/flags.ts'

/** Declares `doctor`, `doctor fix` and `doctor list`. */
export function declareDoctor(program: Command, action: Action): void {
  const doctor = withWatch(program.command('doctor'))
    .description(
      'Evaluates all checks over the fleet and reports root causes, most important first. A finding that another one ' +
        'explains is folded under it. What could not be seen is reported as unknown, never as passed.',
    )
    .addOption(
      new Option('--checks <codes>', 'run only these: codes, slugs or globs such as FLT01*').argParser(commaList),
    )
    .addOption(new Option('--skip <codes>', 'leave these out').argParser(commaList))
    .addOption(new Option('--category <names>', 'run only the checks of these categories').argParser(commaList))
    .addOption(
      new Option('--ignore <patterns>', 'suppress findings: CODE, or CODE:GLOB over the subject').argParser(commaList),
    )
    .addOption(
      new Option(
        '--fail-on <severity>',
        'exit 1 from this severity on: error, warning or info (default error)',
      ).argParser(oneOf<Severity>('--fail-on', ['error', 'warning', 'info'])),
    )
    .addOption(new Option('--baseline <file>', 'findings that are in this file do not count'))
    .addOption(
      new Option(
        '--write-baseline [file]',
        'accept all findings: write them to FILE (default that of --baseline, else fleetctl-baseline.yaml)',
      ),
    )
    .addOption(
      new Option('--since <duration>', 'only findings that changed in this time, or that do not say when').argParser(
        value => parseDuration(value, '--since'),
      ),
    )
    .option('--show-symptoms', 'list the findings that are folded under their cause')
    .option('--allow-incomplete', 'exit 0, not 3, when something could not be seen')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, short, json, yaml, jsonl, name, junit, jsonpath=..., custom-columns=...',
        examples: [
          ['Diagnose a recorded fleet', 'doctor --from ./fleet'],
          [
            'Diagnose a must-gather archive whose hub is in the folder "acm-hub"',
            'doctor --from gather.tgz --hub acm-hub',
          ],
          ['Show every check, and write a report for CI', 'doctor --from ./fleet -o wide -o junit=report.xml'],
          ['Keep watching the hub, and show what changes', 'doctor -w'],
          ['Fail on new findings only', 'doctor --from ./fleet --baseline fleetctl-baseline.yaml'],
          ['Accept a known finding', "doctor --from ./fleet --ignore 'FLT0102:*/Placement/staging-*'"],
        ],
        exitCodes: [0, 1, 2, 3, 4, 5],
        permissions: 'live, what "fleetctl rbac --for doctor" prints; with --from, read rights on the files',
      }),
    )
  doctor.action(action(async call => (await import('./run.ts')).doctor(call)))

  declareFix(doctor, action)
  doctor
    .command('list')
    .summary('list all checks')
    .description(
      'Lists every check with its code, slug, severity, category and title. --checks, --skip and --category of "doctor" ' +
        'choose among them. Reads no cluster and no file.',
    )
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['List all checks', 'doctor list'],
          ['Only those of a category', 'doctor list --category selection'],
          ['The codes of all checks', "doctor list -o 'jsonpath={.checks[*].code}'"],
          ['All checks as JSON', 'doctor list -o json'],
        ],
        exitCodes: [0, 2],
        permissions: 'none',
      }),
    )
    .action(action(async call => (await import('./list.ts')).doctorList(call)))
}

function declareFix(doctor: Command, action: Action): void {
  const fix = doctor
    .command('fix')
    .argument('[code...]', 'codes or slugs of checks, then names of objects to which it is limited')
    .summary('mend what a finding says')
    .description(
      'Plans what mends the findings of the named checks: which objects are written, with which fields, and what that ' +
        'risks. The plan is shown and, once confirmed, applied to the live hub; it is journalled and can be taken back ' +
        '("plan revert"). Objects that Git or a controller keeps are not edited but offered as files (--export). A check ' +
        'without a machine fix gets its remedy in words and exit code 2.',
    )
    .option('--all-safe', 'everything that can be put back without rights, deletions or second thoughts')
    .option('-n, --namespace <name>', 'only findings about objects of this namespace')
    .option('-A, --all-namespaces', 'findings about objects of all namespaces (default)')
  addPlanFlags(fix, FIX_GATES)
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['See what would be done', 'doctor fix FLT0102 --dry-run=client'],
          ['Mend one finding', 'doctor fix FLT0102 -n openshift-gitops production'],
          ['Everything that is safe to put back', 'doctor fix --all-safe'],
          ['As files for Git, from a recording', 'doctor fix FLT0304 --from ./fleet --export ./change'],
          ['Delete what is left over', 'doctor fix FLT0603 --accept deletes'],
        ],
        exitCodes: [0, 2, 3, 4, 6, 7],
        permissions:
          'with --from, read rights on the files; live, those of doctor, and get, create, patch or delete on what is written',
      }),
    )
    .action(action(async call => (await import('./fix.ts')).doctorFix(call)))
}
