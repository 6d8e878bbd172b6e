import { principals } from '../../fleet/joins/agents.ts'
import { AGENT_NAME, clusterSecrets, registration } from '../../fleet/joins/registration.ts'
import { groupBy } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const agentLeftOver: Check = {
  code: 'FLT0821',
  slug: 'agent-left-over',
  title: 'Cluster secrets of agents lie beside a principal',
  severity: 'warning',
  category: 'agent',
  models: ['push', 'pull'],
  needs: { hub: ['Secret', 'ArgoCD', 'GitOpsCluster'] },
  uses: { hub: ['Placement', 'PlacementDecision', 'ManagedClusterSetBinding'] },
  docs: {
    why: 'Nobody sweeps the cluster secrets of agents when a hub is switched back from agent mode. With them ApplicationSets match addresses of a resource proxy that is gone, GitOpsClusters fail ("found existing non-ACM ArgoCD clusters secrets"), and names are twice there once push secrets are written.',
    remedy:
      'Delete the secrets with label `argocd-agent.argoproj-labs.io/agent-name` in that namespace, after a look at each.',
    sources: ['agent-mode 2.5, 5 (62, 63), 8 (A22)'],
  },
  *run(fleet) {
    const served = new Set([
      ...fleet.join(principals).map(p => p.argo.meta.namespace),
      ...fleet
        .join(registration)
        .all.filter(r => r.writes === 'agent')
        .map(r => r.argoNamespace),
    ])
    const left = fleet
      .join(clusterSecrets)
      .all.filter(s => AGENT_NAME in s.meta.labels && !served.has(s.meta.namespace))
    for (const [namespace, list] of groupBy(left, s => s.meta.namespace)) {
      const first = list[0]
      if (first === undefined) continue
      yield {
        subject: first.subject,
        message: `Namespace "${namespace}" holds cluster secrets of agents (${names(list.map(s => s.cluster.name))}), but no principal and no GitOpsCluster in agent mode.`,
        evidence: list
          .slice(0, 8)
          .map(s => fact(s, '', `agent ${s.meta.labels[AGENT_NAME] ?? ''}, server ${s.cluster.server}`)),
        effect:
          'Applications for these clusters go to a proxy that does not exist; other secrets of the same names clash with them',
        fix: `oc -n ${namespace} delete secret -l ${AGENT_NAME} (after a look at each)`,
        breaks: false,
      }
    }
  },
}
