import type { ClusterView } from '../../fleet/fleet.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

export const principalAndAgent: Check = {
  code: 'FLT0831',
  slug: 'principal-and-agent',
  title: 'No ArgoCD resource is principal and agent at once',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD'] },
  uses: { spoke: ['ArgoCD'] },
  docs: {
    why: 'The operator refuses an ArgoCD resource that switches both on, and then carries out nothing of it any more.',
    remedy: 'Switch one off. A hub that is also a spoke needs a second ArgoCD resource in a namespace of its own.',
    sources: ['agent-mode 1.2, 5 (9)'],
  },
  *run(fleet) {
    const views: ClusterView[] = [fleet.hub, ...fleet.spokes.values()]
    for (const view of views) {
      for (const argo of view.of('ArgoCD').all) {
        if (argo.principal?.enabled !== true || argo.agent?.enabled !== true) continue
        yield {
          subject: argo.subject,
          message: `ArgoCD "${argo.meta.name}" in namespace "${argo.meta.namespace}" switches principal and agent on together, which the operator refuses.`,
          evidence: [
            fact(argo, '.spec.argoCDAgent.principal.enabled', 'true'),
            fact(argo, '.spec.argoCDAgent.agent.enabled', 'true'),
          ],
          effect: 'the operator does not carry out this resource any more',
          fix: 'switch spec.argoCDAgent.agent off on the hub (or the principal on a spoke)',
        }
      }
    }
  },
}
