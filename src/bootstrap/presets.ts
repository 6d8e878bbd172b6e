import type { AccessRule } from '../plan/manifests/service-account.ts'

const READ = ['get', 'list', 'watch']
const WRITE = [...READ, 'create', 'update', 'patch', 'delete']

/** What applications are usually made of, without Secrets and without rights over rights. */
const DEPLOYER: readonly AccessRule[] = [
  { apiGroups: ['apps'], resources: ['deployments', 'statefulsets', 'daemonsets', 'replicasets'], verbs: WRITE },
  { apiGroups: ['batch'], resources: ['jobs', 'cronjobs'], verbs: WRITE },
  {
    apiGroups: [''],
    resources: ['services', 'configmaps', 'serviceaccounts', 'persistentvolumeclaims'],
    verbs: WRITE,
  },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'networkpolicies'], verbs: WRITE },
  { apiGroups: ['route.openshift.io'], resources: ['routes', 'routes/custom-host'], verbs: WRITE },
  { apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'], verbs: WRITE },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: WRITE },
]

/** Rights in a granted namespace, by the name of the preset. */
export const PRESETS: Readonly<Record<'deployer' | 'namespace-admin' | 'read-only', readonly AccessRule[]>> = {
  deployer: DEPLOYER,
  'namespace-admin': [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  'read-only': [],
}

/**
 * Reading in the whole cluster, which Argo CD's cluster cache wants. Secrets are left out: a rule cannot except them, so
 * the core group is spelled out and other groups are named.
 */
export const CLUSTER_READ: readonly AccessRule[] = [
  {
    apiGroups: [''],
    resources: [
      'configmaps',
      'endpoints',
      'events',
      'limitranges',
      'namespaces',
      'nodes',
      'persistentvolumeclaims',
      'persistentvolumes',
      'pods',
      'podtemplates',
      'replicationcontrollers',
      'resourcequotas',
      'serviceaccounts',
      'services',
    ],
    verbs: READ,
  },
  {
    apiGroups: [
      'admissionregistration.k8s.io',
      'apiextensions.k8s.io',
      'apiregistration.k8s.io',
      'apps',
      'autoscaling',
      'batch',
      'coordination.k8s.io',
      'discovery.k8s.io',
      'networking.k8s.io',
      'policy',
      'rbac.authorization.k8s.io',
      'route.openshift.io',
      'scheduling.k8s.io',
      'storage.k8s.io',
    ],
    resources: ['*'],
    verbs: READ,
  },
]

/** The same with Secrets and every kind that there is or will be. */
export const CLUSTER_READ_WITH_SECRETS: readonly AccessRule[] = [{ apiGroups: ['*'], resources: ['*'], verbs: READ }]
