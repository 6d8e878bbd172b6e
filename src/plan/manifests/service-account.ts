import type { Manifest } from '../object.ts'
import type { ApiVersionOf } from './served.ts'

/** A rule of a Role or ClusterRole. */
export interface AccessRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}

/** An account on a spoke whose token ACM fetches and renews. Its namespace on the hub is the cluster's. */
export function managedServiceAccount(version: ApiVersionOf, cluster: string, name: string): Manifest {
  return {
    apiVersion: version('ManagedServiceAccount'),
    kind: 'ManagedServiceAccount',
    metadata: { name, namespace: cluster },
    // The default, spelled out: without rotation the token ends after a year and nobody renews it.
    spec: { rotation: { enabled: true, validity: '8640h0m0s' } },
  }
}

interface ClusterPermissionInput {
  readonly cluster: string
  /** Of the ClusterPermission and of the roles that it makes. */
  readonly name: string
  /** ManagedServiceAccount that gets the roles; default: the one of the same name. */
  readonly account?: string
  readonly namespaces: readonly { readonly namespace: string; readonly rules: readonly AccessRule[] }[]
  readonly clusterRules: readonly AccessRule[]
}

function rule({ apiGroups, resources, verbs, resourceNames }: AccessRule): Record<string, unknown> {
  return {
    apiGroups: [...apiGroups],
    resources: [...resources],
    ...(resourceNames === undefined ? {} : { resourceNames: [...resourceNames] }),
    verbs: [...verbs],
  }
}

/**
 * Rights of a ManagedServiceAccount on its cluster. Whoever may create this grants rights on the spoke: the work agent
 * applies them whatever the creator may do there (push-pull.md 6.3).
 */
export function clusterPermission(version: ApiVersionOf, input: ClusterPermissionInput): Manifest {
  const { cluster, name, account = name, namespaces, clusterRules } = input
  const subject = () => ({
    apiGroup: 'authentication.open-cluster-management.io',
    kind: 'ManagedServiceAccount',
    name: account,
  })
  return {
    apiVersion: version('ClusterPermission'),
    kind: 'ClusterPermission',
    metadata: { name, namespace: cluster },
    spec: {
      ...(namespaces.length === 0
        ? {}
        : {
            roles: namespaces.map(({ namespace, rules }) => ({ namespace, rules: rules.map(rule) })),
            // A Role without a name is the one that is called like the ClusterPermission (push-pull.md 1.7).
            roleBindings: namespaces.map(({ namespace }) => ({
              namespace,
              roleRef: { kind: 'Role' },
              subject: subject(),
            })),
          }),
      ...(clusterRules.length === 0
        ? {}
        : { clusterRole: { rules: clusterRules.map(rule) }, clusterRoleBinding: { subject: subject() } }),
    },
  }
}

/** Enables an add-on on a cluster, as ACM's own add-ons are: the manager of the add-on fills in the rest. */
export function managedClusterAddOn(version: ApiVersionOf, cluster: string, name: string): Manifest {
  return {
    apiVersion: version('ManagedClusterAddOn'),
    kind: 'ManagedClusterAddOn',
    metadata: { name, namespace: cluster },
    spec: {},
  }
}
