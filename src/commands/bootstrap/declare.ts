import { type Command, Option } from 'commander'
import { GATE_CODES } from '../../bootstrap/part-names.ts'
import { helpText } from '../help-text.ts'
import { addPlanFlags } from '../plan/plan-flags.ts'
import type { Action } from '../run-action.ts'
import { addSetting } from './add-setting.ts'
import { type BootstrapStep, MODEL_STEPS, PART_STEPS } from './steps.ts'

const FORMATS = 'text (default), wide, json, yaml, jsonl, name, jsonpath=..., custom-columns=...'
const EXIT_CODES = [0, 2, 4, 5, 6, 7]
const PERMISSIONS =
  'with --from, read rights on the files; live, read rights on the delivery chain, and get, create and patch on what is written'

/** Declares `bootstrap` with a command for each model and for each part. */
export function declareBootstrap(program: Command, action: Action): void {
  const bootstrap = addPlanFlags(program.command('bootstrap'), GATE_CODES)
    .description(
      'Plans everything that delivery needs, from the cluster set to the first Application: what is made and changed, in ' +
        'which order, which clusters are selected and which not, which Applications come and which would be lost. It ' +
        'builds on what is on the hub. The plan is shown, saved (--plan-out) or written as files for Git (--export).',
    )
    .addOption(new Option('-f, --filename <file>', 'FleetBootstrap with the settings; "-" is stdin; flags win over it'))
    .option('--print-config', 'print the settings as a FleetBootstrap and do nothing else')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: FORMATS,
        examples: [
          ['From a file', 'bootstrap -f bootstrap.yaml --from ./fleet'],
          [
            'Pull for two clusters, as files for Git',
            "bootstrap pull --from ./fleet --clusters bm,sno --set demo --repo-url https://git.example.com/fleet.git --path 'apps/{{name}}' --export ./gitops",
          ],
          ['The settings as a file', 'bootstrap push --set demo --clusters bm --print-config > bootstrap.yaml'],
          ['One part only', 'bootstrap clusterset demo --clusters bm,sno --from ./fleet'],
        ],
        exitCodes: EXIT_CODES,
        permissions: PERMISSIONS,
      }),
    )
    .action(action(async call => (await import('./run.ts')).bootstrapFromFile(call)))
  for (const step of [...MODEL_STEPS, ...PART_STEPS]) declareStep(bootstrap, step, action)
  declareVerify(bootstrap, action)
}

function declareVerify(bootstrap: Command, action: Action): void {
  bootstrap
    .command('verify')
    .argument('<appset>', 'ApplicationSet as NAME or NAMESPACE/NAME')
    .summary('wait until the Applications of an ApplicationSet have arrived')
    .description(
      'Follows each Application of the ApplicationSet to its cluster, again and again, until all have arrived or the time ' +
        'is over, and names what is in the way. On a recording it looks once.',
    )
    .option('-n, --namespace <name>', 'namespace of the ApplicationSet')
    .option('--allow-incomplete', 'exit 0, not 3, when something could not be seen')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, short, tree, json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['Wait until everything has arrived', 'bootstrap verify demo-pull'],
          ['Look once', 'bootstrap verify demo-pull --no-wait'],
          ['In a recording', 'bootstrap verify openshift-gitops/demo-pull --from ./fleet'],
        ],
        exitCodes: [0, 1, 2, 3, 4, 5],
        permissions: 'as for trace: read rights on the delivery chain of the hub',
      }),
    )
    .action(action(async call => (await import('./verify.ts')).bootstrapVerify(call)))
}

function declareStep(bootstrap: Command, step: BootstrapStep, action: Action): void {
  const command = bootstrap.command(step.name).summary(step.summary).description(step.description)
  if (step.argument !== undefined) command.argument('<name>', step.argument.help)
  for (const name of step.settings) addSetting(command, name)
  command
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: FORMATS,
        examples: step.examples,
        exitCodes: EXIT_CODES,
        permissions: PERMISSIONS,
      }),
    )
    .action(action(async call => (await import('./run.ts')).bootstrapStep(call, step)))
}
