import type { AgentStep } from './agent-plan.ts'

const step = (
  number: number,
  key: AgentStep['key'],
  title: string,
  effect: string,
  signals: readonly string[],
  revert: string,
): AgentStep => ({ number, key, title, state: 'by-hand', objects: [], effect, signals, revert })

/**
 * The way of upstream Open Cluster Management, which its own chart goes (agent-mode.md 3.5). fleetctl writes nothing there:
 * chart and GitOpsCluster belong to each other and change together.
 */
export const UPSTREAM_STEPS: readonly AgentStep[] = [
  step(
    1,
    'selection',
    'make a Placement without the hub in namespace argocd, and bind its ManagedClusterSet there',
    'nothing but the decision',
    ['the Placement decides on the clusters'],
    'delete both',
  ),
  step(
    2,
    'principal',
    'helm install argocd-agent-addon ocm/argocd-agent-addon -n argocd --create-namespace',
    'the chart brings the operator, and with hubArgoCD.enabled the ArgoCD resource of the principal, behind a LoadBalancer',
    ['the Service of the principal has an address'],
    'helm uninstall argocd-agent-addon -n argocd',
  ),
  step(
    3,
    'registration',
    'make a GitOpsCluster apps.open-cluster-management.io/v1alpha1 with spec.placementRef and spec.argoCDAgentAddon.mode: managed',
    'its controller makes certificates, cluster secrets, add-ons and the ArgoCD resource of each cluster, and restarts principal and agents when a certificate changes',
    [
      'conditions ServerDiscovered, PrincipalCertificateReady, PlacementEvaluated, ClustersImported, AddonConfigured and ArgoCDCRDelivered are True',
    ],
    'delete it: RemovedClustersCleanedUp says when its controller has cleaned up',
  ),
  step(
    4,
    'agents',
    'wait for add-on argocd-agent-addon on each cluster',
    'each cluster gets operator, Argo CD and agent; its account is cluster-admin',
    ['ManagedClusterAddOn argocd-agent-addon is Available on each cluster'],
    'nothing of its own',
  ),
  step(
    5,
    'applications',
    'let Applications name their cluster in destination.name',
    'the principal hands each to its agent',
    ['each Application is Synced and its status was written by argocd-agent'],
    'delete the ApplicationSet first of all, while the agents still work',
  ),
]
