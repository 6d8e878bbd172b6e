import { readFileSync } from 'node:fs'
import { pki } from '../../support/pki.ts'
import { base64, type Case, copyOf, DAY, refLike, setCondition } from './case.ts'

const NAMESPACE = 'openshift-gitops'
const ARGO = `hub/ArgoCD/${NAMESPACE}/openshift-gitops`
const GOC = `hub/GitOpsCluster/${NAMESPACE}/gitops-agent-clusters`
const PRINCIPAL = `hub/Deployment/${NAMESPACE}/openshift-gitops-agent-principal`
const POLICY = `hub/Policy/${NAMESPACE}/gitops-agent-clusters-argocd-policy`
const AGENT_BLOCK = [
  'spec',
  'policy-templates',
  0,
  'objectDefinition',
  'spec',
  'object-templates',
  0,
  'objectDefinition',
  'spec',
  'argoCDAgent',
  'agent',
]
/** A real certificate, good from 2020 to 2120 for kube.example.test and others. */
const CERTIFICATE = base64(readFileSync(pki('server.crt'), 'utf8'))
const YEAR = 365 * DAY

export const AGENT_CASES: readonly Case[] = [
  {
    slug: 'principal-down',
    fleet: 'agent-healthy',
    fault: 'the Secret with its certificate is missing',
    change: p => {
      p.set(PRINCIPAL, ['status', 'readyReplicas'], 0)
      p.set(refLike(p, `hub/Pod/${NAMESPACE}/openshift-gitops-agent-principal-`), ['status', 'containerStatuses', 0], {
        name: 'openshift-gitops-agent-principal',
        ready: false,
        restartCount: 6,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: {
          terminated: {
            message: '[FATAL]: could not read TLS secret openshift-gitops/argocd-agent-principal-tls: not found',
          },
        },
      })
    },
    subject: `${NAMESPACE}/Deployment/openshift-gitops-agent-principal`,
    severity: 'error',
    says: /does not run: \[FATAL\]: could not read TLS secret/,
  },
  {
    slug: 'principal-down',
    fleet: 'agent-healthy',
    fault: 'an old operator does not know the field',
    change: p => p.remove(PRINCIPAL),
    subject: `${NAMESPACE}/ArgoCD/openshift-gitops`,
    severity: 'error',
    says: /its Deployment "openshift-gitops-agent-principal" does not exist/,
  },
  {
    slug: 'principal-certificate-stale',
    fleet: 'agent-healthy',
    fault: 'the certificate was issued anew after the principal had started',
    change: p =>
      p.set(
        `hub/Secret/${NAMESPACE}/argocd-agent-principal-tls`,
        ['metadata', 'creationTimestamp'],
        '2026-11-30T16:35:00Z',
      ),
    subject: `${NAMESPACE}/Deployment/openshift-gitops-agent-principal`,
    severity: 'warning',
    says: /started before "argocd-agent-principal-tls" was written/,
  },
  {
    slug: 'agent-certificate-expiring',
    fleet: 'agent-healthy',
    fault: 'nobody renewed the certificate of the principal',
    change: p => {
      p.set(`hub/Secret/${NAMESPACE}/argocd-agent-principal-tls`, ['data', 'tls.crt'], CERTIFICATE)
      // That of the agent would be over by then as well.
      setCondition(p, 'hub/ManagedClusterAddOn/bm/gitops-addon', 'ClusterCertificateRotated', { status: 'Unknown' })
      p.later(85 * YEAR)
    },
    subject: `${NAMESPACE}/Secret/argocd-agent-principal-tls`,
    severity: 'warning',
    says: /expires in \d+d and was not renewed/,
  },
  {
    slug: 'agent-certificate-expiring',
    fleet: 'agent-healthy',
    fault: 'the certificate of an agent has expired',
    change: p => {
      p.set(`bm/Secret/${NAMESPACE}/argocd-agent-client-tls`, ['data', 'tls.crt'], CERTIFICATE)
      p.later(95 * YEAR)
    },
    subject: `${NAMESPACE}/Secret/argocd-agent-client-tls on bm`,
    severity: 'error',
    says: /on cluster "bm" expired \d+d ago/,
  },
  {
    slug: 'principal-address-not-certified',
    fleet: 'agent-healthy',
    fault: 'the certificate was issued before the Route had a host',
    change: p => p.set(`hub/Secret/${NAMESPACE}/argocd-agent-principal-tls`, ['data', 'tls.crt'], CERTIFICATE),
    subject: `${NAMESPACE}/Secret/argocd-agent-principal-tls`,
    severity: 'error',
    says: /is good for localhost, kube\.example\.test, 127\.0\.0\.1 only/,
  },
  {
    slug: 'principal-redis-unresolved',
    fleet: 'agent-healthy',
    fault: 'Redis runs under another name (HA)',
    change: p => p.remove(`hub/Service/${NAMESPACE}/openshift-gitops-redis`),
    subject: `${NAMESPACE}/ArgoCD/openshift-gitops`,
    severity: 'warning',
    says: /looks for Redis at "openshift-gitops-redis:6379", but there is no Service/,
  },
  {
    slug: 'agent-mode-differs',
    fleet: 'agent-healthy',
    fault: 'the add-on config of one cluster says the other mode',
    change: p => {
      const config = p.edit('hub/AddOnDeploymentConfig/bm/gitops-addon-config') as {
        spec: { customizedVariables: { name: string; value: string }[] }
      }
      for (const v of config.spec.customizedVariables) if (v.name === 'ARGOCD_AGENT_MODE') v.value = 'autonomous'
    },
    subject: `${NAMESPACE}/GitOpsCluster/gitops-agent-clusters`,
    severity: 'warning',
    says: /asks for agents in mode managed, but autonomous is what bm gets/,
  },
  {
    slug: 'agent-mode-differs',
    fleet: 'agent-healthy',
    fault: 'the mode is no word that exists',
    change: p => p.set(GOC, ['spec', 'gitopsAddon', 'argoCDAgent', 'mode'], 'remote'),
    subject: `${NAMESPACE}/GitOpsCluster/gitops-agent-clusters`,
    severity: 'warning',
    says: /asks for agent mode "remote", which does not exist/,
  },
  {
    slug: 'agent-name-forbidden',
    fleet: 'agent-healthy',
    fault: 'a cluster with a dot in its name is decided',
    change: p =>
      p.set(
        refLike(p, `hub/PlacementDecision/${NAMESPACE}/production-clusters`),
        ['status', 'decisions'],
        [
          { clusterName: 'bm', reason: '' },
          { clusterName: 'sno.example', reason: '' },
        ],
      ),
    subject: 'ManagedCluster/sno.example',
    severity: 'error',
    says: /its name is no DNS label/,
  },
  {
    slug: 'principal-route-unusable',
    fleet: 'agent-healthy',
    fault: 'TLS ends at the edge',
    change: p =>
      p.set(`hub/Route/${NAMESPACE}/openshift-gitops-agent-principal`, ['spec', 'tls', 'termination'], 'edge'),
    subject: `${NAMESPACE}/Route/openshift-gitops-agent-principal`,
    severity: 'error',
    says: /ends TLS \(edge\)/,
  },
  {
    slug: 'principal-route-unusable',
    fleet: 'agent-healthy',
    fault: 'no router takes the Route',
    change: p =>
      p.set(
        `hub/Route/${NAMESPACE}/openshift-gitops-agent-principal`,
        ['status', 'ingress', 0, 'conditions', 0, 'status'],
        'False',
      ),
    subject: `${NAMESPACE}/Route/openshift-gitops-agent-principal`,
    severity: 'error',
    says: /is not admitted by any router/,
  },
  {
    slug: 'agent-left-over',
    fleet: 'agent-healthy',
    fault: 'the hub was switched back from agent mode',
    change: p => {
      p.set(ARGO, ['spec', 'argoCDAgent', 'principal', 'enabled'], false)
      p.remove(GOC)
    },
    subject: `${NAMESPACE}/Secret/cluster-bm`,
    severity: 'warning',
    says: /holds cluster secrets of agents \(bm, sno\), but no principal/,
  },
  {
    slug: 'agent-mapped-twice',
    fleet: 'agent-healthy',
    fault: 'a copied secret kept the label of its agent',
    change: p =>
      void copyOf(p, `hub/Secret/${NAMESPACE}/cluster-bm`, 'cluster-bm-new', raw => {
        const data = raw.data as Record<string, string>
        data.name = base64('bm-new')
      }),
    subject: `${NAMESPACE}/Secret/cluster-bm`,
    severity: 'error',
    says: /2 cluster secrets carry the name of agent "bm": cluster-bm, cluster-bm-new/,
  },
  {
    slug: 'agent-secret-malformed',
    fleet: 'agent-healthy',
    fault: 'the server of a secret asks for another agent',
    change: p =>
      p.set(
        `hub/Secret/${NAMESPACE}/cluster-bm`,
        ['data', 'server'],
        base64('https://openshift-gitops-agent-principal-resource-proxy.openshift-gitops.svc:9090?agentName=sno'),
      ),
    subject: `${NAMESPACE}/Secret/cluster-bm`,
    severity: 'warning',
    says: /belongs to agent "bm" by its label, but names "bm" and asks for agent "sno"/,
  },
  {
    slug: 'agent-destination-by-server',
    fleet: 'agent-healthy',
    fault: 'a template names the server of the agent',
    change: p => {
      for (const cluster of ['bm', 'sno'])
        p.set(`hub/Application/${NAMESPACE}/branding-bottom-${cluster}`, ['spec', 'destination'], {
          server: `https://openshift-gitops-agent-principal-resource-proxy.openshift-gitops.svc:9090?agentName=${cluster}`,
        })
    },
    subject: `${NAMESPACE}/ApplicationSet/branding-bottom-agent`,
    severity: 'error',
    says: /are meant for an agent but name the server instead of the cluster/,
  },
  {
    slug: 'agent-namespace-refused',
    fleet: 'agent-healthy',
    fault: 'the principal watches its own namespace alone',
    change: p => {
      p.set(ARGO, ['spec', 'argoCDAgent', 'principal', 'namespace', 'allowedNamespaces'], [])
      copyOf(p, `hub/Application/${NAMESPACE}/branding-bottom-bm`, 'kiosk', raw => {
        const meta = raw.metadata as Record<string, unknown>
        meta.namespace = 'kiosk-team'
        meta.ownerReferences = []
      })
    },
    subject: 'kiosk-team/Application/kiosk',
    severity: 'error',
    says: /the principal does not watch namespace "kiosk-team"/,
  },
  {
    slug: 'agent-namespace-refused',
    fleet: 'agent-healthy',
    fault: 'the namespace does not exist on the spoke',
    change: p =>
      void copyOf(p, `hub/Application/${NAMESPACE}/branding-bottom-bm`, 'kiosk', raw => {
        const meta = raw.metadata as Record<string, unknown>
        meta.namespace = 'kiosk-team'
        meta.ownerReferences = []
      }),
    subject: 'kiosk-team/Application/kiosk',
    severity: 'error',
    says: /namespace "kiosk-team" does not exist on cluster "bm"/,
  },
  {
    slug: 'agent-repository-unscoped',
    fleet: 'agent-healthy',
    fault: 'a repository Secret belongs to no project',
    change: p =>
      p.add('hub', 'Secret', {
        metadata: {
          name: 'fleet-config',
          namespace: NAMESPACE,
          labels: { 'argocd.argoproj.io/secret-type': 'repository' },
        },
        data: { url: base64('https://git.example.test/fleet-config.git'), password: base64('CANARY') },
      }),
    subject: `${NAMESPACE}/Secret/fleet-config`,
    severity: 'warning',
    says: /Repository Secret "fleet-config" in namespace "openshift-gitops" has no project/,
  },
  {
    slug: 'principal-generates-keys',
    fleet: 'agent-healthy',
    fault: 'the principal makes its certificate itself',
    change: p => {
      const deployment = p.edit(PRINCIPAL) as {
        spec: { template: { spec: { containers: { env: { name: string; value: string }[] }[] } } }
      }
      for (const e of deployment.spec.template.spec.containers[0]?.env ?? [])
        if (e.name === 'ARGOCD_PRINCIPAL_TLS_SERVER_ALLOW_GENERATE') e.value = 'true'
    },
    subject: `${NAMESPACE}/ArgoCD/openshift-gitops`,
    severity: 'warning',
    says: /generates its server certificate by itself/,
  },
  {
    slug: 'hybrid-unsupported',
    fleet: 'agent-healthy',
    fault: 'the controller was left on with an Argo CD before 3.4',
    change: p => {
      p.set(ARGO, ['spec', 'controller', 'enabled'], true)
      p.set(refLike(p, 'hub/ClusterServiceVersion/openshift-gitops-operator/'), ['spec', 'version'], '1.20.2')
    },
    subject: `${NAMESPACE}/ArgoCD/openshift-gitops`,
    severity: 'warning',
    says: /OpenShift GitOps 1\.20\.2 does not honour skip-reconcile/,
  },
  {
    slug: 'principal-rights-missing',
    fleet: 'agent-healthy',
    fault: 'the namespace was taken out of the cluster config',
    change: p => p.remove('hub/ClusterRoleBinding/openshift-gitops-openshift-gitops-agent-principal'),
    subject: `${NAMESPACE}/ArgoCD/openshift-gitops`,
    severity: 'error',
    says: /may not list applications, appprojects at the cluster scope/,
  },
  {
    slug: 'principal-and-agent',
    fleet: 'agent-healthy',
    fault: 'the hub was made an agent too',
    change: p => p.set(ARGO, ['spec', 'argoCDAgent', 'agent'], { enabled: true }),
    subject: `${NAMESPACE}/ArgoCD/openshift-gitops`,
    severity: 'error',
    says: /switches principal and agent on together/,
  },
  {
    slug: 'agent-version-skew',
    fleet: 'agent-healthy',
    fault: 'a spoke was updated before the hub',
    change: p =>
      p.set(
        `bm/Deployment/${NAMESPACE}/acm-openshift-gitops-agent-agent`,
        ['spec', 'template', 'spec', 'containers', 0, 'image'],
        'registry.redhat.io/openshift-gitops-1/argocd-agent-rhel9:v0.10.0',
      ),
    subject: `${NAMESPACE}/Deployment/openshift-gitops-agent-principal`,
    severity: 'warning',
    says: /The principal is of version 0\.9\.0, the agents of bm \(0\.10\.0\) are not/,
  },
  {
    slug: 'agent-settings-refused',
    fleet: 'agent-healthy',
    fault: 'an autonomous agent is told to map by destination',
    change: p => p.set(POLICY, [...AGENT_BLOCK, 'client', 'mode'], 'autonomous'),
    subject: `${NAMESPACE}/Policy/gitops-agent-clusters-argocd-policy`,
    severity: 'error',
    says: /destination-based mapping is not supported for autonomous agents/,
  },
  {
    slug: 'autonomous-namespace-missing',
    fleet: 'agent-autonomous-healthy',
    fault: 'the namespace of an agent is gone',
    change: p => p.remove('hub/Namespace/bm'),
    subject: 'Namespace/bm',
    severity: 'error',
    says: /has no namespace "bm" for the Applications of its autonomous agent/,
  },
  {
    slug: 'cluster-config-missing',
    fleet: 'agent-healthy',
    fault: 'the operator was not told the namespace of the principal',
    change: p => {
      const operator = p.edit(
        'hub/Deployment/openshift-gitops-operator/openshift-gitops-operator-controller-manager',
      ) as {
        spec: { template: { spec: { containers: { env: { name: string; value: string }[] }[] } } }
      }
      for (const e of operator.spec.template.spec.containers[0]?.env ?? [])
        if (e.name === 'ARGOCD_CLUSTER_CONFIG_NAMESPACES') e.value = 'local-cluster'
      for (const { cluster, kind, raw } of p.objects) {
        const { name, labels } = raw.metadata as { name: string; labels?: Record<string, string> }
        if (
          cluster === 'hub' &&
          kind === 'Namespace' &&
          labels?.['argocd.argoproj.io/managed-by-cluster-argocd'] !== undefined
        )
          p.unset(`hub/Namespace/${name}`, ['metadata', 'labels', 'argocd.argoproj.io/managed-by-cluster-argocd'])
      }
    },
    subject: `${NAMESPACE}/ArgoCD/openshift-gitops`,
    severity: 'warning',
    says: /needs rights on the whole cluster, but the operator allows them in local-cluster only/,
  },
  {
    slug: 'argocd-twice',
    fleet: 'agent-healthy',
    fault: 'the default instance runs beside that of the add-on',
    change: p =>
      void copyOf(p, `bm/ArgoCD/${NAMESPACE}/acm-openshift-gitops`, 'openshift-gitops', raw => {
        const meta = raw.metadata as Record<string, unknown>
        meta.creationTimestamp = '2026-11-30T16:20:00Z'
      }),
    subject: `${NAMESPACE}/ArgoCD/openshift-gitops on bm`,
    severity: 'warning',
    says: /holds 2 ArgoCD resources: acm-openshift-gitops, openshift-gitops/,
  },
  {
    slug: 'argocd-not-reconciled',
    fleet: 'agent-healthy',
    fault: 'a terminating namespace blocks the operator',
    change: p =>
      setCondition(p, ARGO, 'Reconciled', {
        status: 'False',
        reason: 'ErrorOccurred',
        message: 'namespace "kiosk" is being terminated',
      }),
    subject: `${NAMESPACE}/ArgoCD/openshift-gitops`,
    severity: 'error',
    says: /cannot carry out ArgoCD "openshift-gitops".*namespace "kiosk" is being terminated/,
  },
]

export const AGENT_CASES_2: readonly Case[] = [
  {
    slug: 'addon-left-over',
    fleet: 'agent-healthy',
    fault: 'the GitOpsCluster was deleted',
    change: p => {
      p.remove(GOC)
      p.remove('hub/ManagedClusterAddOn/sno/gitops-addon')
    },
    subject: 'bm/ManagedClusterAddOn/gitops-addon',
    severity: 'warning',
    says: /still has the GitOps add-on, but no GitOpsCluster/,
  },
  {
    slug: 'addon-deletion-stuck',
    fleet: 'agent-healthy',
    fault: 'the spoke cannot carry out the pre-delete step',
    change: p =>
      p.set('hub/ManagedClusterAddOn/bm/gitops-addon', ['metadata', 'deletionTimestamp'], '2026-11-30T16:00:00Z'),
    subject: 'bm/ManagedClusterAddOn/gitops-addon',
    severity: 'warning',
    says: /was deleted 37m ago and cannot go/,
  },
  {
    slug: 'addon-not-deployed',
    fleet: 'agent-healthy',
    fault: 'the manifests of the add-on are refused',
    change: p =>
      setCondition(p, 'hub/ManagedClusterAddOn/bm/gitops-addon', 'ManifestApplied', {
        status: 'False',
        reason: 'ManifestWorkApplyFailed',
        message: 'quota',
      }),
    subject: 'bm/ManagedClusterAddOn/gitops-addon',
    severity: 'warning',
    says: /could not be deployed: ManifestApplied False \(ManifestWorkApplyFailed\)/,
  },
  {
    slug: 'addon-missing',
    fleet: 'push-healthy',
    fault: 'the cluster proxy was taken off a cluster whose secret uses it',
    change: p => p.remove('hub/ManagedClusterAddOn/bm/cluster-proxy'),
    subject: 'bm/ManagedClusterAddOn/cluster-proxy',
    severity: 'warning',
    says: /lacks add-on "cluster-proxy": the cluster secret points to the cluster proxy/,
  },
  {
    slug: 'policy-noncompliant',
    fleet: 'agent-healthy',
    fault: 'the operator is not there yet',
    change: p => {
      p.set(POLICY, ['status', 'status', 0, 'compliant'], 'NonCompliant')
      p.set(`hub/Policy/bm/openshift-gitops.gitops-agent-clusters-argocd-policy`, ['status', 'details', 0], {
        compliant: 'NonCompliant',
        history: [
          {
            message: 'NonCompliant; violation - no matches for kind "ArgoCD" in version "argoproj.io/v1beta1"',
            lastTimestamp: '2026-11-30T16:30:00Z',
          },
        ],
      })
    },
    subject: `${NAMESPACE}/Policy/gitops-agent-clusters-argocd-policy`,
    severity: 'warning',
    says: /is not compliant on bm: NonCompliant; violation - no matches for kind "ArgoCD"/,
  },
  {
    slug: 'policy-unbound',
    fleet: 'agent-healthy',
    fault: 'the binding was deleted',
    change: p => p.remove(`hub/PlacementBinding/${NAMESPACE}/gitops-agent-clusters-argocd-policy-binding`),
    subject: `${NAMESPACE}/Policy/gitops-agent-clusters-argocd-policy`,
    severity: 'warning',
    says: /is bound to no Placement, so it is enforced nowhere/,
  },
  {
    slug: 'policy-unbound',
    fleet: 'agent-healthy',
    fault: 'the binding names another Placement',
    change: p =>
      p.set(
        `hub/PlacementBinding/${NAMESPACE}/gitops-agent-clusters-argocd-policy-binding`,
        ['placementRef', 'name'],
        'production',
      ),
    subject: `${NAMESPACE}/Policy/gitops-agent-clusters-argocd-policy`,
    severity: 'warning',
    says: /is bound to Placement "production", which does not exist there/,
  },
  {
    slug: 'policy-not-enforced',
    fleet: 'agent-healthy',
    fault: 'the policy was set to inform',
    change: p => p.set(POLICY, ['spec', 'remediationAction'], 'inform'),
    subject: `${NAMESPACE}/Policy/gitops-agent-clusters-argocd-policy`,
    severity: 'warning',
    says: /is not enforced \(inform\)/,
  },
  {
    slug: 'operator-group-duplicate',
    fleet: 'agent-healthy',
    fault: 'a policy brought a second OperatorGroup',
    change: p =>
      void copyOf(
        p,
        'bm/OperatorGroup/openshift-gitops-operator/gitops-addon-operator-group',
        'openshift-gitops-operator',
        raw => {
          const meta = raw.metadata as Record<string, unknown>
          meta.creationTimestamp = '2026-11-30T16:20:00Z'
        },
      ),
    subject: 'openshift-gitops-operator/OperatorGroup/openshift-gitops-operator on bm',
    severity: 'error',
    says: /has 2 OperatorGroups/,
  },
  {
    slug: 'operator-not-installed',
    fleet: 'agent-healthy',
    fault: 'the catalog does not answer on a disconnected cluster',
    change: p =>
      setCondition(
        p,
        'bm/Subscription/openshift-gitops-operator/openshift-gitops-operator',
        'CatalogSourcesUnhealthy',
        {
          status: 'True',
          reason: 'UnhealthyCatalogSourceFound',
          message: 'targeted catalogsource openshift-marketplace/redhat-operators unhealthy',
        },
      ),
    subject: 'openshift-gitops-operator/Subscription/openshift-gitops-operator on bm',
    severity: 'warning',
    says: /CatalogSourcesUnhealthy True/,
  },
  {
    slug: 'operator-not-installed',
    fleet: 'agent-healthy',
    fault: 'an update waits for approval',
    change: p => {
      const subscription = 'hub/Subscription/openshift-gitops-operator/openshift-gitops-operator'
      p.set(subscription, ['spec', 'installPlanApproval'], 'Manual')
      p.set(subscription, ['status', 'state'], 'UpgradePending')
    },
    subject: 'openshift-gitops-operator/Subscription/openshift-gitops-operator',
    severity: 'warning',
    says: /waits for approval/,
  },
  {
    slug: 'operator-version-skew',
    fleet: 'agent-healthy',
    fault: 'a spoke runs a newer release than the hub',
    change: p =>
      p.set(refLike(p, 'bm/ClusterServiceVersion/openshift-gitops-operator/'), ['spec', 'version'], '1.22.0'),
    subject: 'openshift-gitops-operator/ClusterServiceVersion/openshift-gitops-operator.v1.21.3',
    severity: 'warning',
    says: /is 1\.21\.3 on the hub and newer on bm \(1\.22\.0\)/,
  },
  {
    slug: 'addon-vendor',
    fleet: 'agent-healthy',
    fault: 'a cluster that is not OpenShift is decided',
    change: p => p.set('hub/ManagedCluster/sno', ['metadata', 'labels', 'vendor'], 'EKS'),
    subject: `${NAMESPACE}/GitOpsCluster/gitops-agent-clusters`,
    severity: 'info',
    says: /installs the GitOps add-on on sno \(EKS\), which is not OpenShift/,
  },
]
