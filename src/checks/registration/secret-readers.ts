import type { Fleet } from '../../fleet/fleet.ts'
import { argoNamespaces } from '../../fleet/joins/argo-namespaces.ts'
import { clusterSecrets } from '../../fleet/joins/registration.ts'
import { RBAC_KINDS } from '../../fleet/rbac.ts'
import type { RbacSubject, Role, RoleBinding } from '../../fleet/records.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

/** Rules that let somebody read Secrets: the whole list, not one by name. */
function readsSecrets(role: Role): boolean {
  return role.rules.some(
    r =>
      r.resourceNames.length === 0 &&
      r.apiGroups.some(g => g === '' || g === '*') &&
      r.resources.some(x => x === 'secrets' || x === '*') &&
      r.verbs.some(v => v === 'list' || v === 'get' || v === 'watch' || v === '*'),
  )
}

function text(s: RbacSubject, binding: RoleBinding): string {
  return s.kind === 'ServiceAccount'
    ? `ServiceAccount ${s.namespace || binding.meta.namespace}/${s.name}`
    : `${s.kind} ${s.name}`
}

/** People and groups; controllers of the platform, and those of the namespace itself, read Secrets by their trade. */
function isOutsider(s: RbacSubject, own: ReadonlySet<string>): boolean {
  if (s.kind !== 'ServiceAccount') return !s.name.startsWith('system:')
  return !own.has(s.namespace) && !/^(kube-|openshift-|open-cluster-management|multicluster-engine)/.test(s.namespace)
}

function readers(fleet: Fleet, namespace: string, own: ReadonlySet<string>): Map<string, RoleBinding> {
  const found = new Map<string, RoleBinding>()
  const { hub } = fleet
  for (const binding of [...hub.of('ClusterRoleBinding').all, ...hub.of('RoleBinding').in(namespace)]) {
    const role =
      binding.roleKind === 'Role'
        ? hub.of('Role').get(binding.meta.namespace, binding.roleName)
        : hub.of('ClusterRole').get('', binding.roleName)
    if (binding.roleName !== 'cluster-admin' && (role === undefined || !readsSecrets(role))) continue
    for (const s of binding.subjects) if (isOutsider(s, own)) found.set(text(s, binding), binding)
  }
  return found
}

export const secretReaders: Check = {
  code: 'FLT0225',
  slug: 'secret-readers',
  title: 'Nobody but controllers can read the cluster secrets of Argo CD',
  severity: 'info',
  category: 'registration',
  models: ['push'],
  needs: { hub: ['Secret', ...RBAC_KINDS] },
  uses: { hub: ['ArgoCD', 'GitOpsCluster', 'Service', 'ApplicationSet'] },
  docs: {
    why: 'A cluster secret holds the token by which Argo CD works on that cluster, mostly as cluster-admin. Whoever reads Secrets in the Argo CD namespace of the hub therefore owns every spoke that it serves.',
    remedy:
      'Keep the right to read Secrets in that namespace to as few as possible; give people access to Argo CD by its own RBAC instead.',
    sources: ['push-pull 5 (31)'],
  },
  *run(fleet) {
    const own = fleet.join(argoNamespaces)
    for (const namespace of [...own].sort()) {
      const served = fleet.join(clusterSecrets).all.filter(s => s.meta.namespace === namespace && s.cluster.hasConfig)
      const first = served[0]
      if (first === undefined) continue
      const who = readers(fleet, namespace, own)
      if (who.size === 0) continue
      yield {
        subject: first.subject,
        message: `${names([...who.keys()], 3)} can read the credentials of ${served.length} clusters in namespace "${namespace}".`,
        evidence: [...who]
          .slice(0, 8)
          .map(([name, binding]) => fact(binding, '', `${name} has ${binding.roleKind} ${binding.roleName}`)),
        effect: 'whoever reads these Secrets can do on the clusters what Argo CD can',
        fix: `take the right to read Secrets in ${namespace} from those who do not need it`,
        breaks: false,
      }
    }
  },
}
