import { principals } from '../../fleet/joins/agents.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { AGENT_INPUTS, notAgentHub } from './agent-support.ts'

/** The query parameter by which the resource proxy knows the agent. */
function agentIn(server: string): string | undefined {
  return /[?&]agentName=([^&]+)/.exec(server)?.[1]
}

export const agentSecretMalformed: Check = {
  code: 'FLT0823',
  slug: 'agent-secret-malformed',
  title: 'Cluster secrets of agents name one agent throughout',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Secret'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'The label of the secret tells the principal which agent it belongs to, its `name` tells Argo CD which destination, and `?agentName=` in its server tells the resource proxy whom to ask. When they differ Applications go to one agent and live views to another, or nowhere ("Resource not found in cluster").',
    remedy: 'Delete the secret and let the GitOpsCluster write it anew.',
    sources: ['agent-mode 1.8, 5 (31, 60), 8 (A09)', 'failures in the field J-2'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const { agents } of fleet.join(principals)) {
      for (const [agent, secrets] of agents) {
        for (const secret of secrets) {
          const asked = agentIn(secret.cluster.server)
          const wrong =
            secret.cluster.name !== agent || secret.cluster.server === '' || (asked !== undefined && asked !== agent)
          if (!wrong) continue
          yield {
            subject: secret.subject,
            message: `Cluster secret "${secret.meta.name}" belongs to agent "${agent}" by its label, but names ${secret.cluster.server === '' ? 'no server' : `"${secret.cluster.name}"`}${asked === undefined || asked === agent ? '' : ` and asks for agent "${asked}"`}.`,
            evidence: [
              fact(secret, '.metadata.labels[agent-name]', agent),
              fact(secret, '.data[name]', secret.cluster.name),
              fact(secret, '.data[server]', secret.cluster.server || 'empty'),
            ],
            effect: 'Applications and live views of the two are mixed up',
            fix: `oc -n ${secret.meta.namespace} delete secret ${secret.meta.name} (the GitOpsCluster writes it anew)`,
            clusters: [agent],
            breaks: false,
          }
        }
      }
    }
  },
}
