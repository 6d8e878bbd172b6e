import type { ClusterView } from './fleet.ts'
import { matchesSelector } from './placement/selector.ts'
import type { PolicyRule, Role, RoleBinding } from './records.ts'

/** What somebody wants to do. `namespace` is `''` for cluster-scoped resources. */
interface Access {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly namespace: string
  readonly name?: string
}

/** `unknown`: a binding names a role that was not read, or RBAC could not be read at all. */
type Answer = 'yes' | 'no' | 'unknown'

interface Account {
  readonly namespace: string
  readonly name: string
}

function has(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value)
}

function allows(rule: PolicyRule, access: Access): boolean {
  return (
    has(rule.verbs, access.verb) &&
    has(rule.apiGroups, access.group) &&
    has(rule.resources, access.resource) &&
    (rule.resourceNames.length === 0 || (access.name !== undefined && rule.resourceNames.includes(access.name)))
  )
}

function binds(binding: RoleBinding, account: Account): boolean {
  return binding.subjects.some(s => {
    if (s.kind === 'ServiceAccount')
      return s.name === account.name && (s.namespace || binding.meta.namespace) === account.namespace
    if (s.kind === 'User') return s.name === `system:serviceaccount:${account.namespace}:${account.name}`
    return (
      s.kind === 'Group' &&
      ['system:authenticated', 'system:serviceaccounts', `system:serviceaccounts:${account.namespace}`].includes(s.name)
    )
  })
}

function rulesOf(view: ClusterView, role: Role): readonly PolicyRule[] {
  if (role.aggregates.length === 0) return role.rules
  const parts = view.of('ClusterRole').all.filter(r => role.aggregates.some(s => matchesSelector(r.meta.labels, s)))
  return [...role.rules, ...parts.flatMap(r => r.rules)]
}

/** Roles that Kubernetes makes itself are left out of some recordings; these two grant what their names say. */
const BUILT_IN = new Set(['cluster-admin'])

/** The bindings of an account that count in a namespace: cluster-wide ones and those of the namespace. */
function bindingsFor(view: ClusterView, account: Account, namespace: string): readonly RoleBinding[] {
  const wide = view.of('ClusterRoleBinding').all.filter(b => binds(b, account))
  return namespace === ''
    ? wide
    : [
        ...wide,
        ...view
          .of('RoleBinding')
          .in(namespace)
          .filter(b => binds(b, account)),
      ]
}

/** May a ServiceAccount do this, by the RBAC objects of the cluster? */
export function can(view: ClusterView, account: Account, access: Access): Answer {
  if (!view.knows('ClusterRoleBinding') || !view.knows('ClusterRole')) return 'unknown'
  if (access.namespace !== '' && !(view.knows('RoleBinding', access.namespace) && view.knows('Role', access.namespace)))
    return 'unknown'
  let answer: Answer = 'no'
  for (const binding of bindingsFor(view, account, access.namespace)) {
    const role =
      binding.roleKind === 'Role'
        ? view.of('Role').get(binding.meta.namespace, binding.roleName)
        : view.of('ClusterRole').get('', binding.roleName)
    if (role === undefined) {
      // All Roles of the namespace are known here, so this one does not exist and gives nothing.
      if (binding.roleKind === 'Role') continue
      if (BUILT_IN.has(binding.roleName)) return 'yes'
      // `system:` roles are given to everybody and never hold what the chain needs.
      if (!binding.roleName.startsWith('system:')) answer = 'unknown'
      continue
    }
    if (rulesOf(view, role).some(rule => allows(rule, access))) return 'yes'
  }
  return answer
}

/** Kinds that `can` reads. */
export const RBAC_KINDS = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'] as const
