import { KINDS, type KindName } from '../fleet/kinds.ts'
import { getOrAdd } from '../fleet/maps.ts'
import type { RbacCommand } from './commands.ts'
import { type Places, placesOf } from './places.ts'
import type { Right, Side } from './rights.ts'
import type { BoundTo } from './subject.ts'

const RBAC_GROUP = 'rbac.authorization.k8s.io'
const API_VERSION = `${RBAC_GROUP}/v1`

export interface RbacRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

type RbacKind = 'ClusterRole' | 'Role' | 'ClusterRoleBinding' | 'RoleBinding'

/** A role or a binding, ready to be applied. */
export interface RbacObject {
  readonly apiVersion: typeof API_VERSION
  readonly kind: RbacKind
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly rules?: readonly RbacRule[]
  readonly roleRef?: {
    readonly apiGroup: typeof RBAC_GROUP
    readonly kind: 'ClusterRole' | 'Role'
    readonly name: string
  }
  readonly subjects?: readonly BoundTo[]
}

/** A role and where it has to be bound. */
export interface Grant {
  readonly role: RbacObject
  /** `cluster`: by a ClusterRoleBinding; else by a RoleBinding in each of these namespaces, which may not be known. */
  readonly boundIn: 'cluster' | readonly string[]
  /** What it is for, in a line. */
  readonly purpose: string
}

interface GrantOptions {
  readonly command: RbacCommand
  readonly side: Side
  /** Namespaces of Argo CD, as the user says; empty where they are not known. */
  readonly argo: readonly string[]
  /** Namespaces that a source showed to matter: then roles are for these only. */
  readonly places: Places | undefined
}

/**
 * The least roles that give these rights. Which namespaces matter changes with the fleet (each Application may bring one), so
 * what is listed in namespaces is a ClusterRole for all of them, Secrets excepted; with `places` it is a Role in each.
 */
export function grantsFor(rights: readonly Right[], options: GrantOptions): readonly Grant[] {
  const { command, side, argo, places } = options
  const name = `fleetctl-${command}-${side}`
  // A Role in a namespace that may not be there could not be applied; the right names its object anyway.
  const isWide = ({ where }: Right): boolean => where.scope === 'cluster' || where.scope === 'namespace'
  const wide = rights.filter(isWide)
  const inside = rights.filter(right => !isWide(right))
  if (places !== undefined) {
    const grants = [wideGrant(name, wide)]
    const byNamespace = new Map<string, Right[]>()
    for (const right of inside)
      for (const ns of placesOf(right, places)) getOrAdd(byNamespace, ns, (): Right[] => []).push(right)
    const sorted = [...byNamespace].sort(([a], [b]) => (a < b ? -1 : 1))
    grants.push(...sorted.map(([ns, own]) => grant('Role', name, own, [ns], `read in namespace ${ns}`, ns)))
    return grants.filter(hasRules)
  }
  // What is written beside Argo CD, and its Secrets, must not be given for all namespaces.
  const isApart = ({ kind, verb, where }: Right): boolean =>
    kind === 'Secret' || (verb !== 'list' && where.scope === 'roles' && where.roles.includes('argo'))
  const apart = inside.filter(isApart)
  const others = inside.filter(right => !isApart(right))
  // Both are bound over the whole cluster, so what is listed by one name in the one may be listed at all by the other.
  const covered = new Set(others.filter(r => r.verb === 'list').map(r => r.kind))
  const rest = wide.filter(r => r.verb !== 'list' || !covered.has(r.kind))
  const grants = [
    wideGrant(name, rest),
    grant('ClusterRole', `${name}-namespaces`, others, 'cluster', 'read in the namespaces that turn out to matter'),
  ]
  const writes = apart.some(right => right.kind !== 'Secret')
  const what =
    'Secrets of Argo CD: cluster secrets and what principal and agents live by; values are dropped on arrival'
  const why = writes ? `what is written in the namespace of Argo CD; ${what}` : what
  const own = writes ? `${name}-argo` : `${name}-secrets`
  if (argo.length === 0) grants.push(grant('ClusterRole', own, apart, [], why))
  for (const ns of argo) grants.push(grant('Role', own, apart, [ns], why, ns))
  return grants.filter(hasRules)
}

/** What `wait` and `-w` watch to see changes at once; without it they read again after an interval. */
export function watchGrant({ command, side }: GrantOptions, kinds: readonly KindName[]): Grant {
  const { role, ...rest } = wideGrant(`fleetctl-${command}-${side}-watch`, [])
  // The list gives the version from which the watch goes on.
  const rules = rulesFor(
    kinds.map(kind => ({ kind, verb: 'list', names: [], where: { scope: 'cluster' }, checks: [] })),
  )
  return {
    ...rest,
    role: { ...role, rules: rules.map(rule => ({ ...rule, verbs: ['list', 'watch'] })) },
    purpose: 'watched by wait and -w over the whole cluster, metadata only',
  }
}

const wideGrant = (name: string, rights: readonly Right[]): Grant =>
  grant('ClusterRole', name, rights, 'cluster', 'read over the whole cluster')

function grant(
  kind: 'ClusterRole' | 'Role',
  name: string,
  rights: readonly Right[],
  boundIn: Grant['boundIn'],
  purpose: string,
  namespace?: string,
): Grant {
  const metadata = namespace === undefined ? { name } : { name, namespace }
  return { role: { apiVersion: API_VERSION, kind, metadata, rules: rulesFor(rights) }, boundIn, purpose }
}

const hasRules = ({ role }: Grant): boolean => (role.rules ?? []).length > 0

/** The rules, resources of one group, verb and set of names together. */
function rulesFor(rights: readonly Right[]): readonly RbacRule[] {
  const rules = new Map<string, { group: string; verb: string; names: readonly string[]; resources: Set<string> }>()
  for (const { kind, verb, names, subresource } of rights) {
    const { group, plural } = KINDS[kind]
    const resource = subresource === undefined ? plural : `${plural}/${subresource}`
    const key = [group, verb, ...names].join(' ')
    getOrAdd(rules, key, () => ({ group, verb, names, resources: new Set<string>() })).resources.add(resource)
  }
  return [...rules]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { group, verb, names, resources }]) => ({
      apiGroups: [group],
      resources: [...resources].sort(),
      ...(names.length === 0 ? {} : { resourceNames: names }),
      verbs: [verb],
    }))
}

/** The bindings of a grant; none where it is not known in which namespaces. */
export function bindingsOf({ role, boundIn }: Grant, subjects: readonly BoundTo[]): readonly RbacObject[] {
  const { kind, metadata } = role
  if (subjects.length === 0 || (kind !== 'ClusterRole' && kind !== 'Role')) return []
  const rest = { roleRef: { apiGroup: RBAC_GROUP, kind, name: metadata.name } as const, subjects }
  const { name } = metadata
  if (boundIn === 'cluster')
    return [{ apiVersion: API_VERSION, kind: 'ClusterRoleBinding', metadata: { name }, ...rest }]
  return boundIn.map(namespace => ({
    apiVersion: API_VERSION,
    kind: 'RoleBinding',
    metadata: { name, namespace },
    ...rest,
  }))
}
