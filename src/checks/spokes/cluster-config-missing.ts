import type { ClusterView } from '../../fleet/fleet.ts'
import { CLUSTER_CONFIG } from '../../fleet/operator-namespaces.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

const LABEL = 'argocd.argoproj.io/managed-by-cluster-argocd'

/** What the operator was told, by its running Deployment first: a Subscription may not have been taken up yet. */
function toldBy(view: ClusterView): readonly { readonly value: string; readonly where: string }[] {
  const running = view.of('Deployment').all.filter(d => CLUSTER_CONFIG in d.env)
  if (running.length > 0)
    return running.map(d => ({
      value: d.env[CLUSTER_CONFIG] ?? '',
      where: `Deployment ${d.meta.namespace}/${d.meta.name}`,
    }))
  return view
    .of('Subscription')
    .all.filter(s => CLUSTER_CONFIG in s.env)
    .map(s => ({ value: s.env[CLUSTER_CONFIG] ?? '', where: `Subscription ${s.meta.namespace}/${s.meta.name}` }))
}

export const clusterConfigMissing: Check = {
  code: 'FLT0530',
  slug: 'cluster-config-missing',
  title: 'An Argo CD with rights on the whole cluster may have them',
  severity: 'warning',
  category: 'spokes',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ArgoCD', 'Subscription'] },
  uses: { hub: ['Deployment', 'Namespace'], spoke: ['ArgoCD', 'Subscription', 'Deployment', 'Namespace'] },
  docs: {
    why: 'Only in namespaces that the operator is told by `ARGOCD_CLUSTER_CONFIG_NAMESPACES` may an Argo CD have cluster-wide rights. Elsewhere `sourceNamespaces` is skipped with a log line, and a principal crashes after a minute because it may not list Applications.',
    remedy: 'Add the namespace to `ARGOCD_CLUSTER_CONFIG_NAMESPACES` in `spec.config.env` of the Subscription.',
    sources: ['agent-mode 1.1, 5 (7, 44), 8 (A19)', 'failures in the field G-5'],
  },
  *run(fleet) {
    const views: ClusterView[] = [fleet.hub, ...fleet.spokes.values()]
    for (const view of views) {
      const told = toldBy(view)
      if (told.length === 0) continue
      const allowed = new Set(told.flatMap(t => t.value.split(',').map(n => n.trim())))
      if (allowed.has('*')) continue
      for (const argo of view.of('ArgoCD').all) {
        const { namespace, name } = argo.meta
        const wide = argo.sourceNamespaces.length > 0 || argo.principal?.enabled === true
        if (!wide || allowed.has(namespace)) continue
        // The operator labels what it watches: with labels of this namespace it has been told by other means.
        if (view.of('Namespace').all.some(n => n.meta.labels[LABEL] === namespace)) continue
        yield {
          subject: argo.subject,
          message: `ArgoCD "${name}" in namespace "${namespace}"${view.role === 'hub' ? '' : ` of cluster "${view.name}"`} needs rights on the whole cluster, but the operator allows them in ${names([...allowed].filter(n => n !== '').sort())} only.`,
          evidence: [
            ...told.map(t => fact(argo, '', `${t.where}: ${CLUSTER_CONFIG}=${t.value}`)),
            fact(argo, '.spec.sourceNamespaces', names(argo.sourceNamespaces)),
            ...(argo.principal?.enabled === true ? [fact(argo, '.spec.argoCDAgent.principal.enabled', 'true')] : []),
          ],
          effect:
            argo.principal?.enabled === true
              ? 'the principal cannot list Applications and crashes'
              : 'Applications in other namespaces are not reconciled',
          fix: `add ${namespace} to ${CLUSTER_CONFIG} in spec.config.env of the Subscription of the operator`,
          breaks: false,
          through: [],
        }
      }
    }
  },
}
