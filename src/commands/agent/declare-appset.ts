import { type Command, Option } from 'commander'
import { TARGETS } from '../../agent/choices.ts'
import { oneOf } from '../flags.ts'
import { helpText } from '../help-text.ts'
import { addPlanFlags } from '../plan/plan-flags.ts'
import type { Action } from '../run-action.ts'
import { addAcceptLost } from './declare-enable.ts'

/** Declares `agent appset`. */
export function declareAgentAppSet(agent: Command, action: Action): void {
  const command = agent
    .command('appset')
    .argument('<name>', 'ApplicationSet as NAME or NAMESPACE/NAME')
    .summary('turn an ApplicationSet into one for agents, or back')
    .description(
      'Changes the template of an ApplicationSet so that its Applications go by agent, or back to push or pull: the ' +
        'destination and, for pull, its marks. Whatever else the template says stays. Applications that agents would ' +
        'delete because of it are named, and have to be accepted by name.',
    )
    .option('-n, --namespace <name>', 'namespace of the ApplicationSet')
    .addOption(new Option('--to <delivery>', 'agent (default), push or pull').argParser(oneOf('--to', TARGETS)))
    .addOption(
      new Option('--destination-name <template>', "name of the cluster, where the generator's is not {{name}}"),
    )
    .addOption(new Option('--spoke-namespace <name>', 'pull: namespace of Argo CD on the clusters'))
  addAcceptLost(addPlanFlags(command, ['manifestworks-stay', 'gitops-owned']))
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: 'text (default), wide, json, yaml, jsonl, name, jsonpath=..., custom-columns=...',
        examples: [
          ['What it would change', 'agent appset openshift-gitops/edge-push --from ./fleet'],
          ['Give its Applications to agents', 'agent appset edge-push'],
          ['Back to push', 'agent appset edge-push --to push --accept-lost edge-bm,edge-sno'],
        ],
        exitCodes: [0, 2, 4, 5, 6, 7],
        permissions: 'read rights on the delivery chain; get and patch on the ApplicationSet; a Lease beside Argo CD',
      }),
    )
    .action(action(async call => (await import('./appset.ts')).turnAppSet(call)))
}
