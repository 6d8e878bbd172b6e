import type { Command } from 'commander'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'
import { withWatch } from '../watching/flags.ts'
import { aliasesOf } from './kinds.ts'

const FORMATS = 'text (default), wide, short, tree, json, yaml, jsonl, name, jsonpath=..., custom-columns=...'
const EXIT_CODES = [0, 1, 2, 3, 4, 5]
const PERMISSIONS = 'live, what "fleetctl rbac --for trace" prints; with --from, read rights on the files'

/** Declares `trace` with its nouns. */
export function declareTrace(program: Command, action: Action): void {
  const trace = program
    .command('trace')
    .description(
      'Walks from ApplicationSet over Placement, GitOpsCluster, Application and ManifestWork to the cluster, says for ' +
        'each hop how it is and since when, and names the first broken one with its fix.',
    )
    .addHelpText('after', context =>
      helpText(context.command, {
        examples: [
          ['Trace one Application', 'trace app branding-bm --from ./fleet'],
          ['Trace all Applications of an ApplicationSet', 'trace appset branding-pull --from ./fleet'],
          ['What reaches a cluster', 'trace cluster bm --from ./fleet'],
        ],
        exitCodes: EXIT_CODES,
        permissions: PERMISSIONS,
      }),
    )
  declareApp(trace, action)
  declareAppSet(trace, action)
  declareCluster(trace, action)
}

function declareApp(trace: Command, action: Action): void {
  withNamespace(trace.command('app'))
    .aliases(aliasesOf('app'))
    .argument('<name...>', 'Application as NAME, NAMESPACE/NAME or app/NAME; several are traced one after another')
    .summary('trace an Application to its cluster')
    .description(
      'Traces one Application from what generates it to the cluster that it is meant for. An Application that does not ' +
        'exist any more is traced as far as the rest of the chain remembers it.',
    )
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: FORMATS.replace('tree,', 'tree, dot, mermaid,'),
        examples: [
          ['Trace an Application, wherever it is', 'trace app branding-bm --from ./fleet'],
          ['In one namespace', 'trace app openshift-gitops/branding-bm --from ./fleet'],
          ['An Application of the same name on a spoke', 'trace app guestbook --spoke bm --from ./fleet'],
          ['Follow it on a live hub', 'trace app branding-bm -w'],
          ['Draw the chain', 'trace app branding-bm --from ./fleet -o dot | dot -Tsvg > chain.svg'],
          [
            'The first broken object, for a script',
            "trace app branding-bm --from ./fleet -o 'jsonpath={.firstBroken}'",
          ],
        ],
        exitCodes: EXIT_CODES,
        permissions: PERMISSIONS,
      }),
    )
    .action(action(async call => (await import('./app.ts')).traceApp(call)))
}

function declareAppSet(trace: Command, action: Action): void {
  withNamespace(trace.command('appset'))
    .aliases(aliasesOf('appset'))
    .argument('<name>', 'ApplicationSet as NAME, NAMESPACE/NAME or appset/NAME')
    .summary('trace every Application of an ApplicationSet')
    .description(
      'Traces each Application of an ApplicationSet: one line each, broken ones first, then every cause once.',
    )
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: FORMATS,
        examples: [
          ['All Applications of an ApplicationSet', 'trace appset branding-pull --from ./fleet'],
          ['Only those that do not arrive', 'trace appset branding-pull --from ./fleet -o short'],
          ['As JSON', 'trace appset openshift-gitops/branding-pull --from ./fleet -o json'],
        ],
        exitCodes: EXIT_CODES,
        permissions: PERMISSIONS,
      }),
    )
    .action(action(async call => (await import('./list.ts')).traceAppSet(call)))
}

function declareCluster(trace: Command, action: Action): void {
  withIncomplete(trace.command('cluster'))
    .aliases(aliasesOf('cluster'))
    .argument('<name>', 'ManagedCluster as NAME or cluster/NAME')
    .summary('trace everything that reaches a managed cluster')
    .description(
      'Lists the Applications that go to a managed cluster, by which delivery model, and what stops on the way: one line ' +
        'each, broken ones first, then every cause once.',
    )
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: FORMATS,
        examples: [
          ['What reaches a cluster', 'trace cluster bm --from ./fleet'],
          ['With the whole chain of each Application', 'trace cluster bm --from ./fleet -o tree'],
          [
            'Names and states',
            "trace cluster bm --from ./fleet -o 'custom-columns=NAME:.application.name,MODEL:.model'",
          ],
        ],
        exitCodes: EXIT_CODES,
        permissions: PERMISSIONS,
      }),
    )
    .action(action(async call => (await import('./list.ts')).traceCluster(call)))
}

function withNamespace(command: Command): Command {
  return withIncomplete(command)
    .option('-n, --namespace <name>', 'namespace on the hub')
    .option('-A, --all-namespaces', 'search all namespaces, which is the default; wins over -n')
}

function withIncomplete(command: Command): Command {
  return withWatch(command)
    .option('--show-symptoms', 'list the findings that are folded under their cause')
    .option('--allow-incomplete', 'exit 0, not 3, when a hop could not be seen')
}
