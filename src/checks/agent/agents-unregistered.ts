import { inputsOf } from '../../fleet/fleet.ts'
import { principals } from '../../fleet/joins/agents.ts'
import { flavour } from '../../fleet/joins/flavour.ts'
import { registration } from '../../fleet/joins/registration.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, notAgentHub } from './agent-support.ts'

export const agentsUnregistered: Check = {
  code: 'FLT0842',
  slug: 'agents-unregistered',
  title: 'A GitOpsCluster in agent mode keeps up the agents of every principal',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'GitOpsCluster', 'Secret'] },
  uses: inputsOf(AGENT_INPUTS, flavour),
  whole: { hub: ['GitOpsCluster'] },
  docs: {
    why: 'On an ACM hub the GitOpsCluster in agent mode writes the cluster secrets of agents and renews the certificates of the principal. When it was deleted, or its agent mode taken off, everything goes on until a certificate expires (30 days), and a GitOpsCluster without agent mode writes blank secrets beside those of the agents.',
    remedy:
      'Switch `gitopsAddon.argoCDAgent.enabled` on again, or switch the principal off and delete the secrets of the agents.',
    sources: ['agent-mode 1.7, 2.5, 2.6'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    // Without ACM agents are registered by argocd-agentctl, or by the add-on of OCM.
    if (fleet.join(flavour) !== 'acm') return
    const { all } = fleet.join(registration)
    for (const { argo, agents } of fleet.join(principals)) {
      const { namespace, name } = argo.meta
      const mine = all.filter(r => r.argoNamespace === namespace)
      if (agents.size === 0 || mine.some(r => r.writes === 'agent')) continue
      const other = mine[0]
      yield {
        subject: other?.goc.subject ?? argo.subject,
        message: `The principal of ArgoCD "${name}" has agents (${names([...agents.keys()].sort())}), but ${other === undefined ? 'no GitOpsCluster' : `GitOpsCluster "${other.goc.meta.name}", which is not in agent mode,`} registers clusters in namespace "${namespace}".`,
        evidence: [
          fact(argo, '.spec.argoCDAgent.principal.enabled', 'true'),
          ...mine.map(r => fact(r.goc, '.spec.gitopsAddon.argoCDAgent.enabled', 'false')),
        ],
        effect: 'certificates and secrets of the agents are not renewed; the principal stops when they expire',
        fix: 'set gitopsAddon.argoCDAgent.enabled: true in the GitOpsCluster, or switch the principal off',
        because: mine.map(r => ({ subject: r.goc.subject })),
        breaks: false,
      }
    }
  },
}
