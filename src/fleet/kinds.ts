/**
 * The kinds of the delivery chain: every kind that fleetctl reads, by its Kubernetes kind name.
 *
 * One table serves all sources (a recorded folder, a must-gather, a live API server) and the RBAC that a run needs, so a
 * kind is declared once. Versions are in order of preference; `where` says on which side of the chain the kind matters.
 */
interface KindInfo {
  readonly group: string
  readonly plural: string
  readonly versions: readonly string[]
  readonly namespaced: boolean
  readonly where: 'hub' | 'spoke' | 'both'
}

const kind = (
  group: string,
  plural: string,
  versions: readonly string[],
  namespaced: boolean,
  where: KindInfo['where'],
): KindInfo => ({ group, plural, versions, namespaced, where })

const CLUSTER = 'cluster.open-cluster-management.io'
const APPS_OCM = 'apps.open-cluster-management.io'
const ADDON = 'addon.open-cluster-management.io'
const WORK = 'work.open-cluster-management.io'
const POLICY = 'policy.open-cluster-management.io'
const RBAC = 'rbac.authorization.k8s.io'
const OLM = 'operators.coreos.com'

export const KINDS = {
  ManagedCluster: kind(CLUSTER, 'managedclusters', ['v1'], false, 'hub'),
  ManagedClusterSet: kind(CLUSTER, 'managedclustersets', ['v1beta2', 'v1beta1'], false, 'hub'),
  ManagedClusterSetBinding: kind(CLUSTER, 'managedclustersetbindings', ['v1beta2', 'v1beta1'], true, 'hub'),
  Placement: kind(CLUSTER, 'placements', ['v1beta1'], true, 'hub'),
  PlacementDecision: kind(CLUSTER, 'placementdecisions', ['v1beta1'], true, 'hub'),
  GitOpsCluster: kind(APPS_OCM, 'gitopsclusters', ['v1beta1', 'v1alpha1'], true, 'hub'),
  MulticlusterApplicationSetReport: kind(APPS_OCM, 'multiclusterapplicationsetreports', ['v1alpha1'], true, 'hub'),
  ApplicationSet: kind('argoproj.io', 'applicationsets', ['v1alpha1'], true, 'both'),
  Application: kind('argoproj.io', 'applications', ['v1alpha1'], true, 'both'),
  AppProject: kind('argoproj.io', 'appprojects', ['v1alpha1'], true, 'both'),
  ArgoCD: kind('argoproj.io', 'argocds', ['v1beta1', 'v1alpha1'], true, 'both'),
  ManifestWork: kind(WORK, 'manifestworks', ['v1'], true, 'hub'),
  AppliedManifestWork: kind(WORK, 'appliedmanifestworks', ['v1'], false, 'spoke'),
  Klusterlet: kind('operator.open-cluster-management.io', 'klusterlets', ['v1'], false, 'spoke'),
  ManagedClusterAddOn: kind(ADDON, 'managedclusteraddons', ['v1alpha1', 'v1beta1'], true, 'hub'),
  ClusterManagementAddOn: kind(ADDON, 'clustermanagementaddons', ['v1alpha1', 'v1beta1'], false, 'hub'),
  AddOnDeploymentConfig: kind(ADDON, 'addondeploymentconfigs', ['v1alpha1', 'v1beta1'], true, 'hub'),
  AddOnTemplate: kind(ADDON, 'addontemplates', ['v1alpha1', 'v1beta1'], false, 'hub'),
  ManagedServiceAccount: kind(
    'authentication.open-cluster-management.io',
    'managedserviceaccounts',
    ['v1beta1', 'v1alpha1'],
    true,
    'hub',
  ),
  ClusterPermission: kind('rbac.open-cluster-management.io', 'clusterpermissions', ['v1alpha1'], true, 'hub'),
  Policy: kind(POLICY, 'policies', ['v1'], true, 'hub'),
  PlacementBinding: kind(POLICY, 'placementbindings', ['v1'], true, 'hub'),
  Subscription: kind(OLM, 'subscriptions', ['v1alpha1'], true, 'both'),
  ClusterServiceVersion: kind(OLM, 'clusterserviceversions', ['v1alpha1'], true, 'both'),
  OperatorGroup: kind(OLM, 'operatorgroups', ['v1'], true, 'both'),
  Route: kind('route.openshift.io', 'routes', ['v1'], true, 'both'),
  Secret: kind('', 'secrets', ['v1'], true, 'both'),
  ConfigMap: kind('', 'configmaps', ['v1'], true, 'both'),
  Service: kind('', 'services', ['v1'], true, 'both'),
  ServiceAccount: kind('', 'serviceaccounts', ['v1'], true, 'both'),
  Namespace: kind('', 'namespaces', ['v1'], false, 'both'),
  Pod: kind('', 'pods', ['v1'], true, 'both'),
  Event: kind('', 'events', ['v1'], true, 'both'),
  Deployment: kind('apps', 'deployments', ['v1'], true, 'both'),
  StatefulSet: kind('apps', 'statefulsets', ['v1'], true, 'both'),
  Role: kind(RBAC, 'roles', ['v1'], true, 'both'),
  RoleBinding: kind(RBAC, 'rolebindings', ['v1'], true, 'both'),
  ClusterRole: kind(RBAC, 'clusterroles', ['v1'], false, 'both'),
  ClusterRoleBinding: kind(RBAC, 'clusterrolebindings', ['v1'], false, 'both'),
  Lease: kind('coordination.k8s.io', 'leases', ['v1'], true, 'both'),
  CertificateSigningRequest: kind('certificates.k8s.io', 'certificatesigningrequests', ['v1'], false, 'hub'),
  CustomResourceDefinition: kind('apiextensions.k8s.io', 'customresourcedefinitions', ['v1'], false, 'both'),
} as const satisfies Record<string, KindInfo>

/** A kind of the delivery chain, by its Kubernetes kind name (`Application` is Argo CD's, `Subscription` is OLM's). */
export type KindName = keyof typeof KINDS

export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[]

/** The kind of that name, or undefined where fleetctl does not know one. */
export function kindCalled(name: string): KindName | undefined {
  return KIND_NAMES.find(known => known === name)
}

/** `plural.group`, or the plural alone for the core group: the name that kubectl accepts without ambiguity. */
export function resourceName(name: KindName): string {
  const { group, plural } = KINDS[name]
  return group === '' ? plural : `${plural}.${group}`
}

const byGroupKind = new Map<string, KindName>(KIND_NAMES.map(name => [`${KINDS[name].group}/${name}`, name]))
const byResource = new Map<string, KindName>(KIND_NAMES.map(name => [resourceName(name), name]))

/** The kind of an object by its `apiVersion` and `kind`, or undefined where fleetctl does not read that kind. */
export function kindOf(apiVersion: string, kindName: string): KindName | undefined {
  const slash = apiVersion.indexOf('/')
  return byGroupKind.get(`${slash < 0 ? '' : apiVersion.slice(0, slash)}/${kindName}`)
}

/** The kind of a resource by `plural.group` (core group: `plural`), or undefined. */
export function kindOfResource(resource: string): KindName | undefined {
  return byResource.get(resource)
}
