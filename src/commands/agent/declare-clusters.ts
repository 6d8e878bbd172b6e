import type { Command } from 'commander'
import { helpText } from '../help-text.ts'
import { addPlanFlags } from '../plan/plan-flags.ts'
import type { Action } from '../run-action.ts'
import { addAcceptLost } from './declare-enable.ts'

const FORMATS = 'text (default), wide, json, yaml, jsonl, name, jsonpath=..., custom-columns=...'
const GOC = 'GitOpsCluster of the agents, where there are several'
const EXIT_CODES = [0, 2, 4, 5, 6, 7]

/** Declares `agent add`. */
export function declareAgentAdd(agent: Command, action: Action): void {
  const command = agent
    .command('add')
    .argument('<cluster>', 'ManagedCluster')
    .summary('give one more cluster an agent')
    .description(
      'Puts the cluster into the set of the Placement that decides about agents, and waits until its agent has arrived. ' +
        'What else selects the set is shown.',
    )
    .option('--set <name>', 'ManagedClusterSet, where the Placement takes several')
    .option('--gitopscluster <name>', GOC)
  addAcceptLost(addPlanFlags(command, ['lost-applications', 'move-clusters', 'second-argocd', 'gitops-owned']))
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: FORMATS,
        examples: [
          ['Give a cluster an agent', 'agent add sno'],
          ['In one of several sets', 'agent add sno --set edge'],
          ['What it would change', 'agent add sno --from ./fleet'],
        ],
        exitCodes: EXIT_CODES,
        permissions:
          'read rights on the delivery chain; get and patch on the ManagedCluster, and join on its sets; a Lease',
      }),
    )
    .action(action(async call => (await import('./clusters.ts')).addCluster(call)))
}

/** Declares `agent remove`. */
export function declareAgentRemove(agent: Command, action: Action): void {
  const command = agent
    .command('remove')
    .argument('<cluster>', 'ManagedCluster')
    .summary('take a cluster its agent')
    .description(
      'Takes the cluster out of the set of the Placement that decides about agents, waits until its Applications are gone, ' +
        'then removes what ACM made for it: the add-on, its configuration, the certificate and the cluster secret.',
    )
    .option('--gitopscluster <name>', GOC)
  addAcceptLost(addPlanFlags(command, []))
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: FORMATS,
        examples: [
          ['What would go', 'agent remove sno --from ./fleet'],
          ['Take a cluster its agent', 'agent remove sno --accept-lost edge-sno'],
          ['Without being asked', 'agent remove sno --accept-lost edge-sno --yes'],
        ],
        exitCodes: EXIT_CODES,
        permissions:
          'read rights on the delivery chain; get and patch on the ManagedCluster, and join on its set; get and delete on what ACM made; a Lease',
      }),
    )
    .action(action(async call => (await import('./clusters.ts')).removeCluster(call)))
}

/** Declares `agent rotate-certs`. */
export function declareAgentRotateCerts(agent: Command, action: Action): void {
  const command = agent
    .command('rotate-certs')
    .summary('issue new certificates for the principal, and restart it')
    .description(
      'Lets ACM issue the certificates of principal and resource proxy anew, and restarts the principal, which reads them ' +
        'at its start alone. CA and keys of the agents stay. With --no-reissue it is only restarted: enough when ACM has ' +
        'renewed them and the principal still serves the old ones.',
    )
    .option('--no-reissue', 'only restart the principal')
    .option('--gitopscluster <name>', GOC)
  addPlanFlags(command, [])
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: FORMATS,
        examples: [
          ['What it would do', 'agent rotate-certs --from ./fleet'],
          ['New certificates', 'agent rotate-certs'],
          ['Let the principal read those that are there', 'agent rotate-certs --no-reissue --yes'],
        ],
        exitCodes: EXIT_CODES,
        permissions:
          'read rights on the delivery chain; get and delete on Secrets and Pods beside the principal; a Lease',
      }),
    )
    .action(action(async call => (await import('./clusters.ts')).rotateCertificates(call)))
}
