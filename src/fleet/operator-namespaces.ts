import type { StringMap } from './records.ts'
import { GITOPS_NAMESPACE } from './well-known.ts'

/** Variable of the operator: namespaces whose Argo CD may act in the whole cluster (agent-mode.md 1.1). */
export const CLUSTER_CONFIG = 'ARGOCD_CLUSTER_CONFIG_NAMESPACES'

/** The operator's own value in the CSV of OpenShift GitOps; a value in the Subscription replaces it. */
export const CLUSTER_CONFIG_DEFAULT = GITOPS_NAMESPACE

/** Namespaces of a value; entries are trimmed by the operator too. `*` counts as the first entry only. */
export function namespacesIn(value: string): readonly string[] {
  return value
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
}

/** May the Argo CD of a namespace act in the whole cluster? @param value undefined where nothing is set */
export function allowsNamespace(value: string | undefined, namespace: string): boolean {
  const names = namespacesIn(value ?? CLUSTER_CONFIG_DEFAULT)
  return names[0] === '*' || names.includes(namespace)
}

/** The value with a namespace added; undefined where it allows it already. */
export function withNamespace(value: string | undefined, namespace: string): string | undefined {
  if (allowsNamespace(value, namespace)) return undefined
  return [...namespacesIn(value ?? CLUSTER_CONFIG_DEFAULT), namespace].join(',')
}

const SECRET_NAME = /token|passw|secret|credential|api_?key/i
const CREDENTIALS = /:\/\/[^/@\s]+:[^/@\s]+@/

/**
 * Do variables hold credentials, which must not stand in a plan or a journal? Whoever sends one variable of a Subscription
 * sends all of them: the list is one value to the server.
 */
export function holdsCredentials(env: StringMap): boolean {
  return Object.entries(env).some(
    ([name, value]) => CREDENTIALS.test(value) || (SECRET_NAME.test(name) && !/_name$/i.test(name) && value !== ''),
  )
}
