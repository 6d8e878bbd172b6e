import { principals } from '../../fleet/joins/agents.ts'
import { can, RBAC_KINDS } from '../../fleet/rbac.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, notAgentHub, principalDeployment } from './agent-support.ts'

export const principalRightsMissing: Check = {
  code: 'FLT0830',
  slug: 'principal-rights-missing',
  title: 'The principal may watch the Applications that it hands out',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Deployment', ...RBAC_KINDS] },
  uses: AGENT_INPUTS,
  whole: { hub: [...RBAC_KINDS] },
  docs: {
    why: 'The principal lists Applications and AppProjects over the whole cluster. The operator gives it that right only when its namespace is in `ARGOCD_CLUSTER_CONFIG_NAMESPACES` and the default cluster role is not switched off. Without it the principal starts, waits a minute for its informers and dies.',
    remedy:
      'Add the namespace to `ARGOCD_CLUSTER_CONFIG_NAMESPACES` in the Subscription; see that a binding names the ServiceAccount in the namespace where the principal runs.',
    sources: ['agent-mode 1.3, 5 (7), 8 (A19)', 'failures in the field H-1'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      const deployment = principalDeployment(fleet, principal)
      if (deployment === undefined) continue
      const { namespace, name } = deployment.meta
      // The operator gives Deployment and ServiceAccount one name (agent-mode.md 1.3).
      const lacking = ['applications', 'appprojects'].filter(
        resource =>
          can(fleet.hub, { namespace, name }, { verb: 'list', group: 'argoproj.io', resource, namespace: '' }) === 'no',
      )
      if (lacking.length === 0) continue
      const wrong = fleet.hub
        .of('ClusterRoleBinding')
        .all.filter(b =>
          b.subjects.some(s => s.kind === 'ServiceAccount' && s.name === name && s.namespace !== namespace),
        )
      yield {
        subject: principal.argo.subject,
        message: `ServiceAccount "${name}" in namespace "${namespace}" of the principal may not list ${names(lacking)} at the cluster scope${wrong.length === 0 ? '' : `; ${names(wrong.map(b => `ClusterRoleBinding "${b.meta.name}"`))} names it in another namespace`}.`,
        evidence: [
          fact(deployment, '.status.readyReplicas', deployment.readyReplicas),
          ...wrong.map(b => fact(b, '.subjects', names(b.subjects.map(s => `${s.namespace}/${s.name}`)))),
        ],
        effect: 'the principal dies a minute after each start: no agent is served',
        fix:
          wrong.length > 0
            ? `correct the namespace of the subject in ${names(wrong.map(b => b.meta.name))}`
            : `add ${namespace} to ARGOCD_CLUSTER_CONFIG_NAMESPACES in spec.config.env of the Subscription of the operator`,
      }
    }
  },
}
