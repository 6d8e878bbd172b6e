import { durationOf } from '../../duration.ts'
import { principals } from '../../fleet/joins/agents.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { AGENT_INPUTS, agentDeployments, notAgentHub, principalDeployment } from './agent-support.ts'

const LEAST = 'ARGOCD_PRINCIPAL_KEEP_ALIVE_MIN_INTERVAL'
const PING = 'ARGOCD_AGENT_KEEP_ALIVE_PING_INTERVAL'

export const agentKeepaliveRefused: Check = {
  code: 'FLT0835',
  slug: 'agent-keepalive-refused',
  title: 'Agents do not ping more often than the principal permits',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Deployment'], spoke: ['Deployment'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'The principal cuts agents off that ping more often than its minimum ("too_many_pings", ENHANCE_YOUR_CALM): they connect, work for a moment and are thrown out again.',
    remedy:
      'Raise `spec.argoCDAgent.agent.client.keepAliveInterval` to the `keepAliveMinInterval` of the principal, or lower the latter.',
    sources: ['agent-mode 1.2, 1.5, 5 (75)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      const deployment = principalDeployment(fleet, principal)
      const least = durationOf(deployment?.env[LEAST] ?? '')
      if (deployment === undefined || least === undefined) continue
      for (const [cluster, view] of fleet.spokes) {
        if (!principal.agents.has(cluster)) continue
        for (const agent of agentDeployments(view)) {
          const ping = durationOf(agent.env[PING] ?? '')
          // Zero switches the pings off.
          if (ping === undefined || ping === 0 || ping >= least) continue
          yield {
            subject: agent.subject,
            message: `The agent on cluster "${cluster}" pings every ${agent.env[PING] ?? ''}, but the principal permits it every ${deployment.env[LEAST] ?? ''} only.`,
            evidence: [
              fact(agent, `env ${PING}`, agent.env[PING] ?? ''),
              fact(deployment, `env ${LEAST}`, deployment.env[LEAST] ?? ''),
            ],
            effect: 'the connection of the agent is cut again and again',
            fix: `set spec.argoCDAgent.agent.client.keepAliveInterval: ${deployment.env[LEAST] ?? ''} (in the Policy of the GitOpsCluster)`,
            clusters: [cluster],
            breaks: false,
          }
        }
      }
    }
  },
}
