import { isObject, textAt, valueAt } from '../../src/raw.ts'
import { DAY } from '../checks/catalogue/case.ts'
import {
  applies,
  asInHealth,
  comesBack,
  decides,
  generates,
  grants,
  propagates,
  type React,
  syncs,
  together,
} from './controllers.ts'

/** What controllers must write before a finding can go, or so that nothing else is found in passing. */
export interface Reaction {
  /** Who writes what. */
  readonly by: string
  /** Healthy recording of the same lab that objects are taken from. */
  readonly healthy?: string
  readonly react: React
}

const PRINCIPAL = 'hub/Deployment/openshift-gitops/openshift-gitops-agent-principal'

/** Reactions by code, or by `code fleet` where the fleet makes a difference. */
export const REACTIONS: Readonly<Record<string, Reaction>> = {
  'FLT0005 set-label-lost': {
    by: 'the placement controller decides on the cluster again, the ApplicationSet controller makes its Applications, and they are delivered',
    healthy: 'mixed-healthy',
    react: together(decides('openshift-gitops/production-clusters'), comesBack('sno')),
  },
  'FLT0101 push-binding-unknown-set': {
    by: 'the placement controller decides',
    healthy: 'push-healthy',
    react: decides('openshift-gitops/emea-openshift'),
  },
  'FLT0102 push-binding-unknown-set': {
    by: 'the placement controller decides',
    healthy: 'push-healthy',
    react: decides('openshift-gitops/emea-openshift'),
  },
  'FLT0102 push-binding-no-intersection': {
    by: 'the placement controller decides',
    healthy: 'push-healthy',
    react: decides('openshift-gitops/emea-openshift'),
  },
  'FLT0102 push-binding-deleted': {
    by: 'the placement controller decides',
    healthy: 'mixed-healthy',
    react: decides('openshift-gitops/production-clusters'),
  },
  'FLT0102 pull-binding-deleted': {
    by: 'the placement controller decides',
    healthy: 'pull-healthy',
    react: decides('openshift-gitops/production-clusters'),
  },
  'FLT0102 two-independent-faults': {
    by: 'the placement controller decides as on the Placement of the same set in openshift-gitops',
    react: patch => {
      const decision = patch.objects.find(
        o => o.kind === 'PlacementDecision' && /emea/.test(textAt(o.raw, 'metadata', 'name')),
      )
      const own = patch.edit('hub/PlacementDecision/acm-policies/policy-fleet-decision-1')
      own.status = structuredClone(decision?.raw.status)
    },
  },
  FLT0103: {
    by: 'the placement controller decides',
    healthy: 'push-healthy',
    react: decides('openshift-gitops/emea-openshift'),
  },
  FLT0105: {
    by: 'the placement controller decides',
    healthy: 'push-healthy',
    react: decides('openshift-gitops/emea-openshift'),
  },
  FLT0109: {
    by: 'the placement controller takes the hub out of the decision',
    healthy: 'agent-healthy',
    react: decides('openshift-gitops/production-clusters'),
  },
  'FLT0203 pull-placement-configmap-missing-no-server': {
    by: 'the GitOpsCluster controller finds the server',
    healthy: 'pull-healthy',
    react: asInHealth('hub/GitOpsCluster/openshift-gitops/gitops-production', 'status'),
  },
  FLT0204: {
    by: 'the GitOpsCluster controller may write there',
    healthy: 'push-healthy',
    react: asInHealth('hub/GitOpsCluster/openshift-gitops/emea-push', 'status'),
  },
  FLT0205: {
    by: 'the operator makes the Route, and the GitOpsCluster controller finds the address',
    healthy: 'agent-healthy',
    react: (patch, healthy) => {
      asInHealth('hub/GitOpsCluster/openshift-gitops/gitops-agent-clusters', 'status')(patch, healthy)
    },
  },
  FLT0212: {
    by: 'the GitOpsCluster controller writes the cluster secret with credentials, the ApplicationSet controller its URL',
    healthy: 'push-healthy',
    react: together(asInHealth('hub/Secret/openshift-gitops/bm-application-manager-cluster-secret'), generates),
  },
  FLT0220: {
    by: 'the agent of the add-on renews the token',
    react: patch => {
      const now = patch.clusters.find(c => c.name === 'hub')?.readAt ?? 0
      const ref = 'hub/ManagedServiceAccount/bm/application-manager'
      patch.set(ref, ['status', 'expirationTimestamp'], new Date(now + 360 * DAY).toISOString())
      patch.set(ref, ['status', 'tokenSecretRef', 'lastRefreshTimestamp'], new Date(now).toISOString())
    },
  },
  FLT0227: {
    by: 'the GitOpsCluster controller writes its own cluster secret',
    healthy: 'push-healthy',
    react: asInHealth('hub/Secret/openshift-gitops/bm-application-manager-cluster-secret'),
  },
  FLT0304: {
    by: 'the ApplicationSet controller writes the marks into the Applications, the propagation controller their ManifestWorks',
    react: together(generates, propagates),
  },
  'FLT0303 agent-healthy': {
    by: 'the ApplicationSet controller takes it up',
    react: patch => patch.set('hub/ApplicationSet/team-a/kiosk', ['status'], { conditions: [] }),
  },
  FLT0305: { by: 'the ApplicationSet controller adds the finalizer to the Applications', react: generates },
  FLT0401: {
    by: 'the ApplicationSet controller writes the target into the Applications, the propagation controller their ManifestWorks',
    react: together(generates, propagates),
  },
  FLT0402: {
    by: 'the placement controller decides on the cluster, the propagation controller writes the ManifestWork',
    react: (patch, healthy) => {
      patch.add('hub', 'PlacementDecision', {
        apiVersion: 'cluster.open-cluster-management.io/v1beta1',
        kind: 'PlacementDecision',
        metadata: {
          name: 'pull-bm-decision-1',
          namespace: 'team-window',
          labels: { 'cluster.open-cluster-management.io/placement': 'pull-bm' },
        },
        status: { decisions: [{ clusterName: 'bm', reason: '' }] },
      })
      propagates(patch, healthy)
    },
  },
  FLT0409: {
    by: 'the placement controller takes the hub out of the decision, the ApplicationSet controller deletes its Application',
    healthy: 'pull-healthy',
    react: (patch, healthy) => {
      decides('openshift-gitops/production-clusters')(patch, healthy)
      patch.removeAll(
        o =>
          o.kind === 'Application' &&
          textAt(o.raw, 'metadata', 'annotations', 'apps.open-cluster-management.io/ocm-managed-cluster') ===
            'local-cluster',
      )
    },
  },
  FLT0410: { by: 'the ApplicationSet controller writes the destination into the Applications', react: generates },
  FLT0503: {
    by: 'the ApplicationSet controller writes the option into the Applications, and the Argo CDs of the clusters sync',
    react: together(generates, propagates, applies, syncs(/kiosk/)),
  },
  FLT0506: { by: 'the Argo CDs of the clusters sync', react: syncs(/signage/) },
  FLT0507: { by: 'the work agent puts the roles on the cluster', react: together(grants, applies) },
  'FLT0507 pull-rbac-forbidden-gave-up': {
    by: 'the work agent puts the roles on the cluster, and the Argo CD there syncs',
    react: together(applies, syncs(/^branding-bm$/)),
  },
  'FLT0507 agent-spoke-controller-forbidden': {
    by: 'the work agent puts the roles on the cluster, and the Argo CD there syncs',
    react: together(applies, syncs(/branding/)),
  },
  FLT0508: { by: 'the Argo CD of the cluster syncs', react: syncs(/^branding-bm$/) },
  FLT0511: {
    by: 'the controllers carry the Applications into the other namespace, and the Argo CDs there sync',
    react: (patch, healthy) => {
      generates(patch, healthy)
      propagates(patch, healthy)
      patch.removeAll(o => o.kind === 'Application' && textAt(o.raw, 'metadata', 'namespace') === 'argocd-apps')
      applies(patch, healthy)
      syncs(/^till-/)(patch, healthy)
    },
  },
  FLT0516: { by: 'Argo CD looks at the Applications again and syncs', react: syncs(/./) },
  FLT0512: {
    by: 'the ApplicationSet controller writes the option into the Applications, and Argo CD syncs',
    react: together(generates, syncs(/^baseline-bm$/)),
  },
  FLT0515: { by: 'Argo CD syncs', react: syncs(/^baseline-bm$/) },
  FLT0518: { by: 'the work agent makes the Application anew', react: applies },
  FLT0530: {
    by: 'the operator is started anew with the variable of its Subscription',
    react: patch => {
      const told = valueAt(
        patch.edit('hub/Subscription/openshift-gitops-operator/openshift-gitops-operator'),
        'spec',
        'config',
        'env',
      )
      setEnv(
        patch.edit('hub/Deployment/openshift-gitops-operator/openshift-gitops-operator-controller-manager'),
        'ARGOCD_CLUSTER_CONFIG_NAMESPACES',
        textAt(
          (Array.isArray(told) ? told : []).find(e => textAt(e, 'name') === 'ARGOCD_CLUSTER_CONFIG_NAMESPACES'),
          'value',
        ),
      )
    },
  },
  FLT0601: { by: 'the propagation controller writes the ManifestWork', react: propagates },
  FLT0603: {
    by: 'the aggregation controller takes the cluster out of the report',
    react: patch => {
      for (const { kind, raw } of [...patch.objects]) {
        if (kind !== 'MulticlusterApplicationSetReport' || textAt(raw, 'metadata', 'name') !== 'pricing-gold') continue
        const report = patch.edit(`hub/${kind}/openshift-gitops/pricing-gold`)
        const entries = valueAt(report, 'statuses', 'clusterConditions')
        if (isObject(report.statuses) && Array.isArray(entries))
          report.statuses.clusterConditions = entries.filter(e => textAt(e, 'cluster') !== 'sno')
      }
    },
  },
  FLT0608: { by: 'the propagation controller writes the ManifestWork anew', react: propagates },
  FLT0810: { by: 'the work agent puts the binding on the cluster', react: applies },
  FLT0817: {
    by: 'the operator starts the principal anew with the address of the ArgoCD',
    react: patch => {
      const argo = patch.edit('hub/ArgoCD/openshift-gitops/openshift-gitops')
      const address = textAt(argo, 'spec', 'argoCDAgent', 'principal', 'redis', 'serverAddress')
      setEnv(patch.edit(PRINCIPAL), 'ARGOCD_PRINCIPAL_REDIS_SERVER_ADDRESS', address)
    },
  },
  FLT0823: {
    by: 'the GitOpsCluster controller writes the cluster secret of the agent anew',
    healthy: 'agent-healthy',
    react: asInHealth('hub/Secret/openshift-gitops/cluster-bm'),
  },
  FLT0824: { by: 'the ApplicationSet controller writes the destination into the Applications', react: generates },
  FLT0827: {
    by: 'the operator starts the principal anew with what the ArgoCD says',
    healthy: 'agent-healthy',
    react: asInHealth(PRINCIPAL),
  },
  FLT0830: {
    by: 'the operator binds the ClusterRole of the principal',
    healthy: 'agent-healthy',
    react: (patch, healthy) => {
      const name = 'openshift-gitops-openshift-gitops-agent-principal'
      const found = healthy.objects.find(
        o => o.kind === 'ClusterRoleBinding' && textAt(o.raw, 'metadata', 'name') === name,
      )
      if (found !== undefined) patch.add('hub', 'ClusterRoleBinding', structuredClone(found.raw))
    },
  },
  FLT0836: {
    by: 'the operator writes argocd-cm',
    react: patch =>
      patch.set(
        'hub/ConfigMap/openshift-gitops/argocd-cm',
        ['data', 'application.resourceTrackingMethod'],
        'annotation',
      ),
  },
}

function setEnv(deployment: unknown, name: string, value: string): void {
  const containers = valueAt(deployment, 'spec', 'template', 'spec', 'containers')
  for (const container of Array.isArray(containers) ? containers : []) {
    const env = valueAt(container, 'env')
    for (const entry of Array.isArray(env) ? env : []) if (isObject(entry) && entry.name === name) entry.value = value
  }
}
