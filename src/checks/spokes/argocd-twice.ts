import type { ClusterView } from '../../fleet/fleet.ts'
import { groupBy } from '../../fleet/maps.ts'
import type { ArgoCD } from '../../fleet/records.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

/** The newer one came to a namespace that was taken. */
function newest(list: readonly ArgoCD[]): ArgoCD | undefined {
  return [...list].sort((a, b) => (b.meta.created ?? 0) - (a.meta.created ?? 0))[0]
}

export const argocdTwice: Check = {
  code: 'FLT0526',
  slug: 'argocd-twice',
  title: 'No namespace holds two Argo CDs',
  severity: 'warning',
  category: 'spokes',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ArgoCD'] },
  uses: { spoke: ['ArgoCD'] },
  docs: {
    why: 'Two ArgoCD resources in one namespace share its ConfigMaps and Secrets and fight over them: restarts without end, two application controllers for the same Applications, "url modified" in the log of the operator. On a spoke it happens when the GitOps add-on installs its own beside the default instance of OpenShift GitOps.',
    remedy:
      'Keep one. Switch the default instance off (`DISABLE_DEFAULT_ARGOCD_INSTANCE=true` in the Subscription) and delete it, or let the add-on leave yours alone (annotation `gitops-addon.open-cluster-management.io/skip: "true"`).',
    sources: ['push-pull 3', 'agent-mode 5 (54), 6.3 (11)'],
  },
  *run(fleet) {
    const views: ClusterView[] = [fleet.hub, ...fleet.spokes.values()]
    for (const view of views) {
      for (const [namespace, list] of groupBy(view.of('ArgoCD').all, a => a.meta.namespace)) {
        const last = newest(list)
        if (last === undefined || list.length < 2) continue
        yield {
          subject: last.subject,
          message: `Namespace "${namespace}"${view.role === 'hub' ? '' : ` of cluster "${view.name}"`} holds ${list.length} ArgoCD resources: ${names(list.map(a => a.meta.name))}.`,
          evidence: list.map(a => fact(a, '.status.phase', a.phase || 'empty')),
          effect: "they overwrite each other's settings; controllers restart again and again",
          fix: 'keep one: set DISABLE_DEFAULT_ARGOCD_INSTANCE=true in the Subscription of the operator and delete the default instance, or delete the other',
          breaks: false,
          through: [],
        }
      }
    }
  },
}
