/**
 * Who brings the kinds of an API group: the operator or product that a cluster lacks when it does not know the group. By group,
 * or by a suffix that starts with a dot. Only groups that have one provider; others are named by their group alone.
 */
const PROVIDERS: readonly (readonly [group: string, provider: string])[] = [
  ['cert-manager.io', 'cert-manager'],
  ['acme.cert-manager.io', 'cert-manager'],
  ['monitoring.coreos.com', 'the Prometheus operator (on OpenShift: cluster monitoring, user workloads enabled)'],
  ['operators.coreos.com', 'Operator Lifecycle Manager'],
  ['route.openshift.io', 'OpenShift itself (use Ingress on other clusters)'],
  ['image.openshift.io', 'OpenShift itself'],
  ['build.openshift.io', 'OpenShift itself'],
  ['security.openshift.io', 'OpenShift itself'],
  ['config.openshift.io', 'OpenShift itself'],
  ['console.openshift.io', 'the OpenShift console'],
  ['machineconfiguration.openshift.io', 'the OpenShift machine config operator'],
  ['argoproj.io', 'Argo CD or OpenShift GitOps (for Rollout: Argo Rollouts; for Workflow: Argo Workflows)'],
  [
    'policy.open-cluster-management.io',
    'the governance add-ons (governance-policy-framework, config-policy-controller)',
  ],
  ['.open-cluster-management.io', 'Open Cluster Management or Red Hat ACM'],
  ['external-secrets.io', 'the External Secrets operator'],
  ['bitnami.com', 'Sealed Secrets'],
  ['secrets-store.csi.x-k8s.io', 'the Secrets Store CSI driver'],
  ['gateway.networking.k8s.io', 'the Gateway API'],
  ['networking.istio.io', 'Istio or OpenShift Service Mesh'],
  ['security.istio.io', 'Istio or OpenShift Service Mesh'],
  ['maistra.io', 'OpenShift Service Mesh'],
  ['tekton.dev', 'OpenShift Pipelines (Tekton)'],
  ['serving.knative.dev', 'OpenShift Serverless (Knative)'],
  ['eventing.knative.dev', 'OpenShift Serverless (Knative)'],
  ['keda.sh', 'KEDA (custom metrics autoscaler)'],
  ['kyverno.io', 'Kyverno'],
  ['templates.gatekeeper.sh', 'Gatekeeper'],
  ['constraints.gatekeeper.sh', 'Gatekeeper, and the ConstraintTemplate of that kind'],
  ['logging.openshift.io', 'the OpenShift logging operator'],
  ['observability.openshift.io', 'the OpenShift logging operator'],
  ['loki.grafana.com', 'the Loki operator'],
  ['grafana.integreatly.org', 'the Grafana operator'],
  ['kafka.strimzi.io', 'Strimzi or AMQ Streams'],
  ['postgresql.cnpg.io', 'CloudNativePG'],
  ['velero.io', 'Velero (OADP)'],
  ['oadp.openshift.io', 'OADP'],
  ['metallb.io', 'MetalLB'],
  ['nmstate.io', 'the NMState operator'],
  ['sriovnetwork.openshift.io', 'the SR-IOV network operator'],
  ['compliance.openshift.io', 'the compliance operator'],
  ['ocs.openshift.io', 'OpenShift Data Foundation'],
  ['objectbucket.io', 'OpenShift Data Foundation'],
  ['local.storage.openshift.io', 'the local storage operator'],
  ['kubevirt.io', 'OpenShift Virtualization (KubeVirt)'],
  ['cdi.kubevirt.io', 'OpenShift Virtualization (CDI)'],
  ['hypershift.openshift.io', 'HyperShift (multicluster engine)'],
  ['snapshot.storage.k8s.io', 'the CSI snapshot controller'],
  ['autoscaling.k8s.io', 'the vertical pod autoscaler'],
  ['pkg.crossplane.io', 'Crossplane'],
  ['apiextensions.crossplane.io', 'Crossplane'],
  ['.upbound.io', 'a Crossplane provider'],
]

/** Who brings the kinds of a group, in words; undefined where that cannot be told. */
export function providerOf(group: string): string | undefined {
  if (group === '') return undefined
  const exact = PROVIDERS.find(([name]) => name === group)
  if (exact !== undefined) return exact[1]
  return PROVIDERS.find(([name]) => name.startsWith('.') && group.endsWith(name))?.[1]
}
