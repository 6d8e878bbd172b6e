import { isFalse } from '../../fleet/joins/clusters.ts'
import { subject } from '../../fleet/subject.ts'
import { MSA_ADDON } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { conditionFact, conditionText } from '../support.ts'

export const clusterPermissionFailed: Check = {
  code: 'FLT0224',
  slug: 'cluster-permission-failed',
  title: 'Every ClusterPermission is valid and applied on its cluster',
  severity: 'error',
  category: 'registration',
  models: ['push'],
  needs: { hub: ['ClusterPermission'] },
  docs: {
    why: 'A ClusterPermission hands rights on a cluster to a ManagedServiceAccount. One without bindings (as the policy template of a GitOpsCluster makes it), outside the namespace of a managed cluster, or with a role that does not exist there is refused with a condition only; pushed Applications are then forbidden to do what it should allow.',
    remedy:
      'Read the condition that is False. Give it at least one binding; roles that it names must exist on the cluster; add-on `managed-serviceaccount` must be there for subjects of kind ManagedServiceAccount.',
    sources: ['push-pull 1.6, 1.7, 5 (19)', 'open-cluster-management-io/cluster-permission:controllers'],
  },
  *run(fleet) {
    for (const permission of fleet.hub.of('ClusterPermission').all) {
      const { name, namespace } = permission.meta
      const bad = ['Validation', 'ValidateRolesExist', 'ValidateClusterRolesExist', 'AppliedRBACManifestWork'].filter(
        type => isFalse(permission, type),
      )
      const first = permission.conditions.find(c => c.type === bad[0])
      if (first === undefined) continue
      yield {
        subject: permission.subject,
        message: `ClusterPermission "${name}" of cluster "${namespace}" gives no rights: ${first.type} ${conditionText(first)}.`,
        evidence: bad.map(type => conditionFact(permission, type)),
        effect: `what should be pushed to ${namespace} with these rights is forbidden`,
        fix:
          first.reason === 'FailedValidationNoBindingsDefined'
            ? 'add a clusterRoleBinding or roleBindings to its spec'
            : first.reason === 'FailedValidationNotInManagedClusterNamespace'
              ? 'create it in the namespace of a managed cluster'
              : `mend what the condition names (roles on ${namespace}, its add-on managed-serviceaccount, its ManifestWork)`,
        because: [
          { subject: subject('hub', 'ManagedCluster', '', namespace) },
          { subject: subject('hub', 'ManagedClusterAddOn', namespace, MSA_ADDON) },
        ],
        clusters: [namespace],
      }
    }
  },
}
