import type { Fleet } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { principals } from '../../fleet/joins/agents.ts'
import type { AppLink } from '../../fleet/joins/applications.ts'
import { covers } from '../../fleet/joins/spoke-argo.ts'
import { groupBy } from '../../fleet/maps.ts'
import { messageKind } from '../argo/messages.ts'
import type { Check, Evidence } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, managedAgentApps, notAgentHub } from './agent-support.ts'

interface Refusal {
  readonly text: string
  readonly fix: string
  readonly evidence: readonly Evidence[]
}

/** Where on its way an Application outside the Argo CD namespace ends. */
function refusal(fleet: Fleet, link: AppLink): Refusal | undefined {
  const { app, cluster, argoNamespace } = link
  const { namespace } = app.meta
  const principal = fleet.join(principals).find(p => p.argo.meta.namespace === argoNamespace)
  if (principal === undefined || namespace === argoNamespace) return undefined
  const { argo, settings } = principal
  if (!covers(settings.allowedNamespaces, namespace)) {
    return {
      text: `the principal does not watch namespace "${namespace}"`,
      fix: `add ${namespace} to spec.argoCDAgent.principal.namespace.allowedNamespaces of ArgoCD ${argo.meta.name} (not one level higher: it is dropped there)`,
      evidence: [
        fact(argo, '.spec.argoCDAgent.principal.namespace.allowedNamespaces', names(settings.allowedNamespaces)),
      ],
    }
  }
  const told = app.conditions.find(c => messageKind(c.message) === 'agent-namespace')
  const view = fleet.spokes.get(cluster)
  const agents = view?.of('ArgoCD').all.filter(a => a.agent?.enabled === true) ?? []
  const agent = agents[0]
  if (
    told !== undefined ||
    (agent !== undefined && !covers([...(agent.agent?.allowedNamespaces ?? []), agent.meta.namespace], namespace))
  ) {
    return {
      text: `the agent of "${cluster}" does not accept namespace "${namespace}"`,
      fix: `add ${namespace} to spec.argoCDAgent.agent.allowedNamespaces (in the Policy of the GitOpsCluster)`,
      evidence: [
        ...(told === undefined ? [] : [fact(app, `.status.conditions[${told.type}]`, told.message)]),
        ...(agent === undefined
          ? []
          : [fact(agent, '.spec.argoCDAgent.agent.allowedNamespaces', names(agent.agent?.allowedNamespaces ?? []))]),
      ],
    }
  }
  if (view === undefined || agent === undefined || !view.knows('Namespace')) return undefined
  if (view.of('Namespace').get('', namespace) === undefined && agent.agent?.createNamespace !== true) {
    return {
      text: `namespace "${namespace}" does not exist on cluster "${cluster}"`,
      fix: `create namespace ${namespace} on ${cluster}, or set destinationBasedMapping.createNamespace of the agent`,
      evidence: [fact(agent, '.spec.argoCDAgent.agent.destinationBasedMapping.createNamespace', 'false')],
    }
  }
  if (!covers([...agent.sourceNamespaces, agent.meta.namespace], namespace)) {
    return {
      text: `the Argo CD of cluster "${cluster}" does not watch namespace "${namespace}"`,
      fix: `add ${namespace} to spec.sourceNamespaces of ArgoCD ${agent.meta.name} on ${cluster} (in the Policy of the GitOpsCluster)`,
      evidence: [fact(agent, '.spec.sourceNamespaces', names(agent.sourceNamespaces))],
    }
  }
  return undefined
}

export const agentNamespaceRefused: Check = {
  code: 'FLT0825',
  slug: 'agent-namespace-refused',
  title: 'Applications for agents lie in namespaces that both sides take',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Application'] },
  uses: inputsOf(AGENT_INPUTS, { spoke: ['ArgoCD', 'Namespace'] }),
  docs: {
    why: 'An Application keeps its namespace on the way to the agent. The principal must watch it, the agent must accept it, it must exist on the spoke (ACM does not create it), and the application controller there must watch it too. At each of these it ends without a sign on the hub: no status, or a stale one.',
    remedy: 'Keep Applications for agents in the Argo CD namespace, or allow the namespace at all four places.',
    sources: ['agent-mode 4.1 (H6), 5 (36, 37, 38), 6.3 (9), 8 (A15)', 'failures in the field I-2, I-7'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    const refused = managedAgentApps(fleet).flatMap(link => {
      const found = link.app.meta.deleting === undefined ? refusal(fleet, link) : undefined
      return found === undefined ? [] : [{ link, found }]
    })
    for (const list of groupBy(
      refused,
      r => `${r.found.text}|${r.link.appSet?.appSet.meta.uid ?? r.link.app.meta.uid}`,
    ).values()) {
      const first = list[0]
      if (first === undefined) continue
      yield {
        subject: first.link.appSet?.appSet.subject ?? first.link.app.subject,
        message: `${names(list.map(r => `Application "${r.link.app.meta.name}"`))} in namespace "${first.link.app.meta.namespace}" ${list.length === 1 ? 'is' : 'are'} not carried out: ${first.found.text}.`,
        evidence: [
          ...first.found.evidence,
          ...list.slice(0, 3).map(r => fact(r.link.app, '.metadata.namespace', r.link.app.meta.namespace)),
        ],
        effect: 'nothing is deployed; the hub shows no status, or an old one',
        fix: `${first.found.fix}, or move the Applications to the Argo CD namespace`,
        clusters: [...new Set(list.map(r => r.link.cluster))],
        through: list.map(r => r.link.app.subject),
      }
    }
  },
}
