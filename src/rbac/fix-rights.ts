import { FIXES } from '../fixes/registry.ts'
import type { KindName } from '../fleet/kinds.ts'
import type { Right } from './rights.ts'

/** Kinds of which fixes make or delete whole objects; taking a fix back does the opposite. Of others they change fields. */
export const MADE_BY_FIXES: ReadonlySet<KindName> = new Set<KindName>([
  'AppProject',
  'ClusterPermission',
  'ConfigMap',
  'GitOpsCluster',
  'ManagedClusterAddOn',
  'ManagedClusterSetBinding',
  'ManagedServiceAccount',
  'ManifestWork',
  'Namespace',
  'Placement',
  'PlacementBinding',
  'Policy',
  'Role',
  'RoleBinding',
  'Secret',
])

/** Kinds of which fixes must see whole objects, and that they never write. */
export const SEEN_BY_FIXES: ReadonlySet<KindName> = new Set<KindName>([
  'ClusterRole',
  'ClusterRoleBinding',
  'PlacementDecision',
])

const verbsFor = (kind: KindName): readonly Right['verb'][] =>
  SEEN_BY_FIXES.has(kind) ? ['get'] : MADE_BY_FIXES.has(kind) ? ['get', 'create', 'patch', 'delete'] : ['get', 'patch']

const SETS = 'ManagedClusterSet'

/**
 * What `doctor fix` writes: the kinds that the fixes declare. Where the objects are follows from findings, so only Secrets,
 * which lie beside Argo CD, are kept to its namespace.
 */
export function fixRights(): readonly Right[] {
  const kinds = new Set([...FIXES.flatMap(fix => fix.kinds), ...MADE_BY_FIXES])
  const own = [...kinds].sort().flatMap(kind => {
    const where: Right['where'] = kind === 'Secret' ? { scope: 'roles', roles: ['argo'] } : { scope: 'cluster' }
    return verbsFor(kind).map((verb): Right => ({ kind, verb, names: [], where, checks: [] }))
  })
  // Asked for by admission webhooks, beside the rights on bindings and clusters themselves (push-pull.md 6.3).
  const sets = ['bind', 'join'].map(
    (subresource): Right => ({
      kind: SETS,
      verb: 'create',
      subresource,
      names: [],
      where: { scope: 'cluster' },
      checks: [],
    }),
  )
  return [...own, ...sets]
}
