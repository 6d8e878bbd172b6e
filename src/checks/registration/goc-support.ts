import type { Registrar } from '../../fleet/joins/registration.ts'
import type { Condition, GitOpsCluster } from '../../fleet/records.ts'

/** Conditions that are False, `Ready` left out: it repeats the others under one reason (push-pull.md 1.6). */
export function failedConditions(goc: GitOpsCluster): readonly Condition[] {
  return goc.conditions.filter(c => c.status === 'False' && c.type !== 'Ready')
}

/** Does the object say that it failed, by its conditions or, before ACM 2.15, by phase alone? */
export function failed(goc: GitOpsCluster): boolean {
  return goc.conditions.some(c => c.status === 'False') || goc.phase === 'failed'
}

/** Clusters that a failure message names, among those that the GitOpsCluster decides. */
export function clustersNamed(r: Registrar): readonly string[] {
  const text = [
    ...r.goc.conditions.filter(c => c.status === 'False').map(c => c.message),
    r.goc.phase === 'failed' ? r.goc.message : '',
  ].join(' ')
  const words = new Set(text.split(/[^A-Za-z0-9.-]+/).map(w => w.replace(/\.+$/, '')))
  return [...(r.decided?.clusters ?? [])].filter(
    c => words.has(c) || words.has(`${c}-${r.msa}-cluster-secret`) || words.has(`${c}-cluster-secret`),
  )
}

/**
 * Role and RoleBinding by which the ApplicationSet controller of a namespace reads decisions: those that ACM writes
 * (push-pull.md 1.6), and those of the chart upstream (push-pull.md 4.1; the name of the binding as it was recorded).
 */
export function generatorRights(
  namespace: string,
  upstream: boolean,
): { readonly role: string; readonly binding: string } {
  if (upstream) return { role: 'ocm-placement-consumer', binding: `ocm-placement-consumer:${namespace}` }
  const name = `${namespace}-applicationset-controller-placement`
  return { role: name, binding: name }
}
