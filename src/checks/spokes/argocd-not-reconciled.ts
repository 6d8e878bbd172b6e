import type { ClusterView } from '../../fleet/fleet.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { ago, conditionFact, fact } from '../support.ts'

export const argocdNotReconciled: Check = {
  code: 'FLT0527',
  slug: 'argocd-not-reconciled',
  title: 'The operator carries out every ArgoCD resource',
  severity: 'error',
  category: 'spokes',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ArgoCD'] },
  uses: { spoke: ['ArgoCD'] },
  docs: {
    why: 'When the operator cannot carry out an ArgoCD resource it says so in condition `Reconciled` and goes on trying; what was set up before stays. A namespace that is terminating while `sourceNamespaces` covers it blocks the whole resource in releases before 1.22; fields that the installed operator does not know are dropped without a word.',
    remedy:
      'Mend what the condition names. If a namespace is terminating, finish its deletion or narrow `sourceNamespaces`.',
    sources: ['agent-mode 1.2, 5 (9, 45)'],
  },
  *run(fleet) {
    const views: ClusterView[] = [fleet.hub, ...fleet.spokes.values()]
    for (const view of views) {
      for (const argo of view.of('ArgoCD').all) {
        const reconciled = condition(argo, 'Reconciled')
        if (reconciled?.status !== 'False') continue
        const place = view.role === 'hub' ? '' : ` on cluster "${view.name}"`
        yield {
          subject: argo.subject,
          message: `The operator cannot carry out ArgoCD "${argo.meta.name}"${place} (for ${ago(view.readAt, reconciled.since).replace(/ ago$/, '')}): ${reconciled.message || reconciled.reason}.`,
          evidence: [conditionFact(argo, 'Reconciled'), fact(argo, '.status.phase', argo.phase || 'empty')],
          effect: 'changes of the resource have no effect; parts of this Argo CD may be missing',
          fix: 'mend what the condition names, then look at the log of the operator',
          because: view.role === 'hub' ? [] : [{ subject: subject('hub', 'ManagedCluster', '', view.name) }],
          breaks: false,
        }
      }
    }
  },
}
