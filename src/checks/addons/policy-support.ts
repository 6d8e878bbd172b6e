import type { Fleet } from '../../fleet/fleet.ts'
import type { Policy } from '../../fleet/records.ts'

/** Label of the copies that the policy propagator makes in the namespaces of clusters; its value is `<namespace>.<name>`. */
export const ROOT_POLICY = 'policy.open-cluster-management.io/root-policy'
const POLICY_CLUSTER = 'policy.open-cluster-management.io/cluster-name'

/** Policies that install or keep up Argo CD: the matter of this tool, of all that a hub may enforce. */
export function gitopsPolicies(fleet: Fleet): readonly Policy[] {
  return fleet.hub.of('Policy').all.filter(p => !(ROOT_POLICY in p.meta.labels) && touchesArgo(p))
}

function touchesArgo({ objects }: Policy): boolean {
  return objects.some(
    o =>
      o.apiVersion.startsWith('argoproj.io/') ||
      (o.kind === 'Subscription' && /gitops|argocd/.test(o.name)) ||
      ['ManagedServiceAccount', 'ClusterPermission', 'GitOpsCluster'].includes(o.kind),
  )
}

/** The copies of a policy, by cluster. */
export function copiesOf(fleet: Fleet, { meta }: Policy): ReadonlyMap<string, Policy> {
  const root = `${meta.namespace}.${meta.name}`
  const copies = fleet.hub.of('Policy').all.filter(p => p.meta.labels[ROOT_POLICY] === root)
  return new Map(copies.map(p => [p.meta.labels[POLICY_CLUSTER] ?? p.meta.namespace, p]))
}
