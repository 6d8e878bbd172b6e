import { principals } from '../../fleet/joins/agents.ts'
import { registration } from '../../fleet/joins/registration.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { isPartOfAgent } from './agent-support.ts'

export const principalMissing: Check = {
  code: 'FLT0841',
  slug: 'principal-missing',
  title: 'Where agents are registered there is a principal',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['GitOpsCluster', 'ArgoCD'] },
  uses: { hub: ['Placement', 'PlacementDecision', 'ManagedClusterSetBinding', 'Deployment', 'Secret'] },
  whole: { hub: ['ArgoCD'] },
  docs: {
    why: 'A GitOpsCluster in agent mode installs agents and writes their cluster secrets; the principal they connect to is switched on in the ArgoCD of the hub. Without it, because that ArgoCD was deleted or the principal switched off, agents have nothing to connect to, and every status on the hub stays as it was.',
    remedy: 'Switch the principal on in the ArgoCD of that namespace, or take the agent mode off the GitOpsCluster.',
    sources: ['agent-mode 1.2, 2.3, 2.5'],
  },
  notApplicable: fleet => (fleet.hub.serves('ArgoCD') ? undefined : 'the hub has no Argo CD operator'),
  *run(fleet) {
    const there = new Set(fleet.join(principals).map(p => p.argo.meta.namespace))
    for (const { goc, writes, argoNamespace, decided } of fleet.join(registration).all) {
      if (writes !== 'agent' || there.has(argoNamespace)) continue
      // A principal that was installed without the operator has no ArgoCD resource.
      const other = fleet.hub
        .of('Deployment')
        .in(argoNamespace)
        .some(
          d =>
            isPartOfAgent(d) &&
            d.replicas > 0 &&
            // One that the operator made goes with its ArgoCD.
            !d.meta.owners.some(o => o.kind === 'ArgoCD'),
        )
      const argos = fleet.hub.of('ArgoCD').in(argoNamespace)
      if (other && argos.length === 0) continue
      yield {
        subject: argos[0]?.subject ?? goc.subject,
        message: `GitOpsCluster "${goc.meta.name}" registers agents in namespace "${argoNamespace}", but ${argos.length === 0 ? 'there is no ArgoCD' : `ArgoCD "${argos[0]?.meta.name ?? ''}" has no principal switched on`}.`,
        evidence: [
          fact(goc, '.spec.gitopsAddon.argoCDAgent.enabled', 'true'),
          ...argos.map(a => fact(a, '.spec.argoCDAgent.principal.enabled', a.principal?.enabled ?? 'absent')),
        ],
        effect: `no agent can connect: nothing is delivered to ${names([...(decided?.clusters ?? [])].sort())}`,
        fix:
          argos.length === 0
            ? `create an ArgoCD with a principal in ${argoNamespace}`
            : 'set spec.argoCDAgent.principal.enabled: true, or take the agent mode off the GitOpsCluster',
        through: [goc.subject],
        models: ['agent'],
      }
    }
  },
}
