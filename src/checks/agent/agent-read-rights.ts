import { can, RBAC_KINDS } from '../../fleet/rbac.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { agentDeployments } from './agent-support.ts'

export const agentReadRights: Check = {
  code: 'FLT0810',
  slug: 'agent-read-rights',
  title: 'Agents may read the resources that the hub wants to show',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ManagedCluster'], spoke: ['Deployment', ...RBAC_KINDS] },
  docs: {
    why: 'The agent reads live manifests, logs and events for the hub under its own ServiceAccount, which the operator gives no right on workloads. Sync, status and the resource tree go on as normal; only the live view fails.',
    remedy:
      'Bind ClusterRole `view` (or wider) to the ServiceAccount of the agent, as an object-template in the policy of the GitOpsCluster.',
    sources: ['agent-mode 1.5, 5 (57), 8 (A14)'],
  },
  *run(fleet) {
    for (const [cluster, view] of fleet.spokes) {
      for (const deployment of agentDeployments(view)) {
        const { namespace, name } = deployment.meta
        // The operator gives Deployment and ServiceAccount one name (agent-mode.md 1.5).
        const answer = can(view, { namespace, name }, { verb: 'get', group: '', resource: 'configmaps', namespace: '' })
        if (answer !== 'no') continue
        yield {
          subject: subject(cluster, 'ServiceAccount', namespace, name),
          breaks: false,
          message: `The agent on cluster "${cluster}" may not read workloads: ServiceAccount "${name}" has no binding such as ClusterRole view.`,
          evidence: [
            fact(subject(cluster, 'ServiceAccount', namespace, name), '', 'cannot get configmaps at the cluster scope'),
          ],
          effect:
            'live manifests, logs and events of its Applications cannot be shown on the hub; sync and status are not affected',
          fix: `bind ClusterRole view to ServiceAccount ${namespace}/${name} on ${cluster} (an object-template in the policy of the GitOpsCluster)`,
          clusters: [cluster],
        }
      }
    }
  },
}
