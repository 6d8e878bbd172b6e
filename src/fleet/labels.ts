/** Labels, annotations, taints and finalizers that more than one part of fleetctl reads or writes. */
import type { StringMap } from './records.ts'

/** On an Application: pull it, to which cluster, and there into which namespace (push-pull.md 1.9). */
export const PULL_LABEL = 'apps.open-cluster-management.io/pull-to-ocm-managed-cluster'
export const PULL_TARGET = 'apps.open-cluster-management.io/ocm-managed-cluster'
export const PULL_NAMESPACE = 'apps.open-cluster-management.io/ocm-managed-cluster-app-namespace'

/** The controller that reads it leaves the Application alone. */
export const SKIP_RECONCILE = 'argocd.argoproj.io/skip-reconcile'

/** Asks Argo CD to look at the Application at once; taken away when it has. */
export const REFRESH = 'argocd.argoproj.io/refresh'

/** What Argo CD takes a Secret for: `cluster`, `repository`, `repo-creds`. */
export const SECRET_TYPE = 'argocd.argoproj.io/secret-type'

/** On a namespace: the namespace of the Argo CD that may deploy into it. */
export const MANAGED_BY = 'argocd.argoproj.io/managed-by'

/** Selects the Service of an Argo CD server, whatever it is called, as the GitOpsCluster controller does (mci server_discovery.go). */
export const ARGO_SERVER_SELECTOR = 'app.kubernetes.io/component=server,app.kubernetes.io/part-of=argocd'

/** Are these the labels of such a Service? */
export function isArgoServer(labels: StringMap): boolean {
  return labels['app.kubernetes.io/component'] === 'server' && labels['app.kubernetes.io/part-of'] === 'argocd'
}

/** With it, deleting an Application deletes what it deployed. */
export const RESOURCES_FINALIZER = 'resources-finalizer.argocd.argoproj.io'

/** Of a ManagedCluster: its one exclusive ManagedClusterSet. */
export const CLUSTER_SET_LABEL = 'cluster.open-cluster-management.io/clusterset'

/** Of a PlacementDecision: its Placement. */
export const PLACEMENT_LABEL = 'cluster.open-cluster-management.io/placement'

/** Of a Placement: the scheduler leaves it as it is. */
export const SCHEDULING_DISABLED = 'cluster.open-cluster-management.io/experimental-scheduling-disable'

/** Taints that the hub puts on a cluster whose agent is silent or whose API server is ill (push-pull.md 1.1). */
export const OUTAGE_TAINTS = [
  'cluster.open-cluster-management.io/unreachable',
  'cluster.open-cluster-management.io/unavailable',
] as const

/** On a cluster's namespace and on certificate requests: the cluster, and the add-on that asks. */
export const OCM_CLUSTER_NAME = 'open-cluster-management.io/cluster-name'
export const OCM_ADDON_NAME = 'open-cluster-management.io/addon-name'

/** On a cluster secret that ACM or an agent's controller wrote (push-pull.md 1.7, agent-mode.md 1.8). */
export const SECRET_CLUSTER_NAME = 'apps.open-cluster-management.io/cluster-name'

/** On a namespace: a GitOpsCluster of another one may register clusters with the Argo CD in it (push-pull.md 1.6). */
export const GITOPS_ARGO_NAMESPACE = 'apps.open-cluster-management.io/gitops-argo-namespace'

/** What kubectl applied last. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** Annotations that repeat the whole object, values of Secrets included. */
export const OBJECT_COPIES: readonly string[] = [LAST_APPLIED, 'kapp.k14s.io/original']
