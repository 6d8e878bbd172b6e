import { principals } from '../../fleet/joins/agents.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { AGENT_INPUTS, agentRegistrars, notAgentHub } from './agent-support.ts'

/** Agents are named like their cluster, and the name must be a DNS label (argocd-agent internal/auth). */
const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

export const agentNameForbidden: Check = {
  code: 'FLT0819',
  slug: 'agent-name-forbidden',
  title: 'Clusters with an agent have names that a principal accepts',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'GitOpsCluster', 'PlacementDecision'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'An agent has the name of its ManagedCluster. The principal refuses one with dots or more than 63 characters, and one that is called like its own namespace; only its log says so.',
    remedy: 'Detach the cluster and import it under another name: a ManagedCluster cannot be renamed.',
    sources: ['agent-mode 5 (18, 19), 6.3 (7), 8 (A23)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      const { namespace } = principal.argo.meta
      for (const r of agentRegistrars(fleet, principal)) {
        for (const cluster of [...(r.decided?.clusters ?? [])].sort()) {
          const fault =
            cluster === namespace
              ? `is also the namespace of the principal`
              : DNS_LABEL.test(cluster)
                ? undefined
                : 'is no DNS label (lower-case letters, digits and dashes, at most 63)'
          if (fault === undefined) continue
          yield {
            subject: subject('hub', 'ManagedCluster', '', cluster),
            message: `The agent of cluster "${cluster}" is refused by the principal: its name ${fault}.`,
            evidence: [
              fact(r.goc, '', `GitOpsCluster decides ${cluster}`),
              fact(principal.argo, '.metadata.namespace', namespace),
            ],
            effect: 'the agent never connects',
            fix: `detach ${cluster} and import it under another name`,
            clusters: [cluster],
            models: ['agent'],
          }
        }
      }
    }
  },
}
