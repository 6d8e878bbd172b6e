import { principals } from '../../fleet/joins/agents.ts'
import { proxyService } from '../../fleet/joins/ways.ts'
import { getOrAdd } from '../../fleet/maps.ts'
import { missing, type Subject, subjectKey } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, notAgentHub } from './agent-support.ts'

export const resourceProxyMissing: Check = {
  code: 'FLT0844',
  slug: 'resource-proxy-missing',
  title: 'The Service that cluster secrets of agents lead to exists',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Secret', 'Service'] },
  uses: AGENT_INPUTS,
  whole: { hub: ['Service'] },
  docs: {
    why: 'The server in the cluster secret of an agent is the resource proxy of the principal, a Service that the operator makes. Without it live manifests, logs and events cannot be shown; delivery and status go another way and are not affected.',
    remedy:
      'Let the operator make it anew (see condition Reconciled of the ArgoCD), or let the GitOpsCluster write the secrets anew where the Service has another name.',
    sources: ['agent-mode 1.3, 1.8', 'failures in the field J-2'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    const lost = new Map<string, { at: Subject; agents: string[] }>()
    for (const { agents } of fleet.join(principals)) {
      for (const [agent, secrets] of agents) {
        for (const service of secrets.flatMap(s => proxyService(s.cluster.server))) {
          if (fleet.hub.of('Service').get(service.namespace, service.name) !== undefined) continue
          getOrAdd(lost, subjectKey(service), () => ({ at: missing(service), agents: [] })).agents.push(agent)
        }
      }
    }
    for (const { at, agents } of lost.values()) {
      yield {
        subject: at,
        message: `Service "${at.name}" does not exist in namespace "${at.namespace}", and the cluster secrets of ${names(agents.sort())} lead to it.`,
        evidence: [fact(at, '', 'does not exist')],
        effect:
          'live manifests, logs and events of their Applications cannot be shown; sync and status are not affected',
        fix: 'see condition Reconciled of the ArgoCD: the operator makes the Service',
        clusters: agents,
        breaks: false,
      }
    }
  },
}
