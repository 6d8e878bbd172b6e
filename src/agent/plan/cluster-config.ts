/** Variable of the operator: namespaces whose ArgoCD may act in the whole cluster (agent-mode.md 1.1). */
export const CLUSTER_CONFIG = 'ARGOCD_CLUSTER_CONFIG_NAMESPACES'

/** The operator's own value in the CSV of OpenShift GitOps; a value in the Subscription replaces it. */
export const CLUSTER_CONFIG_DEFAULT = 'openshift-gitops'

/** Namespaces of a value; entries are trimmed by the operator too. `*` counts as the first entry only. */
export function namespacesIn(value: string): readonly string[] {
  return value
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
}

/** The value with a namespace added; undefined where it has it already. */
export function withNamespace(value: string | undefined, namespace: string): string | undefined {
  const names = namespacesIn(value ?? CLUSTER_CONFIG_DEFAULT)
  return names[0] === '*' || names.includes(namespace) ? undefined : [...names, namespace].join(',')
}
