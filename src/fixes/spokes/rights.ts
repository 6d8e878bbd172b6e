import { createHash } from 'node:crypto'
import type { Forbidden } from '../../checks/argo/messages.ts'
import { accessRules } from '../../checks/argo/remedies.ts'
import type { PolicyTemplate } from '../../plan/manifests/policy.ts'
import type { AccessRule } from '../../plan/manifests/service-account.ts'
import { canonicalJson } from '../../plan/values.ts'

/** Rules for one namespace; the empty one is the cluster scope. */
interface Rights {
  readonly namespace: string
  readonly rules: readonly AccessRule[]
}

/** The smallest rules that would have let these requests through, by namespace. */
export function rightsFor(refused: readonly Forbidden[]): readonly Rights[] {
  const namespaces = [...new Set(refused.map(f => f.namespace))].sort()
  return namespaces.map(namespace => ({
    namespace,
    rules: accessRules(refused.filter(f => f.namespace === namespace)),
  }))
}

/** A name that other rights of the same account do not have. */
export function rightsName(account: string, rights: readonly Rights[]): string {
  const hash = createHash('sha256').update(canonicalJson(rights)).digest('hex').slice(0, 5)
  return `${account}-rights-${hash}`
}

const RBAC = 'rbac.authorization.k8s.io'

/** Roles with these rules, each with a binding to the account. */
export function roleObjects(
  name: string,
  rights: readonly Rights[],
  account: { readonly namespace: string; readonly name: string },
): readonly PolicyTemplate[] {
  return rights.flatMap(({ namespace, rules }) => {
    const kind = namespace === '' ? 'ClusterRole' : 'Role'
    const metadata = { name, ...(namespace === '' ? {} : { namespace }) }
    return [
      { apiVersion: `${RBAC}/v1`, kind, metadata, rules: rules.map(rule => ({ ...rule })) },
      {
        apiVersion: `${RBAC}/v1`,
        kind: `${kind}Binding`,
        metadata,
        roleRef: { apiGroup: RBAC, kind, name },
        subjects: [{ kind: 'ServiceAccount', name: account.name, namespace: account.namespace }],
      },
    ]
  })
}
