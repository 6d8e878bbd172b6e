import type { ClusterView } from '../../fleet/fleet.ts'
import { clusterOfKey, registration } from '../../fleet/joins/registration.ts'
import { can, RBAC_KINDS } from '../../fleet/rbac.ts'
import { subject } from '../../fleet/subject.ts'
import { ADDON_NAMESPACE, MSA_ADDON } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

/** Everything at the cluster scope. */
const ALL = { verb: '*', group: '*', resource: '*', namespace: '' }

/** Where add-ons go that are not told otherwise (ocm addon v1alpha1), and with them the accounts that they make. */
const DEFAULT_NAMESPACE = ADDON_NAMESPACE

/** Any right at all: an account that lost them all does not get along with less. */
function hasRights(view: ClusterView, namespace: string, name: string): boolean {
  const bindings = [...view.of('ClusterRoleBinding').all, ...view.of('RoleBinding').all]
  return bindings.some(b =>
    b.subjects.some(s => s.kind === 'ServiceAccount' && s.name === name && s.namespace === namespace),
  )
}

export const spokeAccountAdmin: Check = {
  code: 'FLT0226',
  slug: 'spoke-account-admin',
  title: 'No cluster is pushed to as cluster-admin where others get along with less',
  severity: 'info',
  category: 'registration',
  models: ['push'],
  needs: { hub: ['GitOpsCluster', 'Placement', 'PlacementDecision', 'ManagedClusterAddOn'], spoke: [...RBAC_KINDS] },
  uses: { hub: ['ManagedClusterSetBinding'] },
  docs: {
    why: 'The default ManagedServiceAccount of ACM is cluster-admin on every cluster. Where one cluster is served with narrow rights and another, by the same Argo CD, with all rights, the wide ones are mostly left from the first set-up.',
    remedy:
      'Create a ManagedServiceAccount with a ClusterPermission for what the Applications deploy, and name it in `managedServiceAccountRef`.',
    sources: ['push-pull 1.7, 5 (19)'],
  },
  *run(fleet) {
    const admin: { cluster: string; account: string; namespace: string }[] = []
    const narrow: string[] = []
    for (const [key, registrars] of fleet.join(registration).of) {
      const r = registrars[0]
      if (r === undefined || r.writes !== 'real') continue
      const cluster = clusterOfKey(key)
      const view = fleet.spokes.get(cluster)
      const addon = fleet.hub.of('ManagedClusterAddOn').get(cluster, MSA_ADDON)
      if (view === undefined || addon === undefined) continue
      const namespace = addon.installNamespace || DEFAULT_NAMESPACE
      const answer = can(view, { namespace, name: r.msa }, ALL)
      if (answer === 'yes') admin.push({ cluster, account: r.msa, namespace })
      else if (answer === 'no' && hasRights(view, namespace, r.msa)) narrow.push(cluster)
    }
    if (narrow.length === 0) return
    for (const { cluster, account, namespace } of admin) {
      yield {
        subject: subject(cluster, 'ServiceAccount', namespace, account),
        message: `Cluster "${cluster}" is pushed to as cluster-admin, while ${names(narrow.sort())} ${narrow.length === 1 ? 'gets' : 'get'} along with less.`,
        evidence: [
          fact(subject(cluster, 'ServiceAccount', namespace, account), '', 'may do everything on the cluster'),
        ],
        effect: `whoever holds the token of ${cluster} owns it`,
        fix: `give ${cluster} a ManagedServiceAccount with a ClusterPermission of its own`,
        clusters: [cluster],
        breaks: false,
      }
    }
  },
}
