import type { Patch } from '../../support/patch.ts'
import { base64, copyOf, refLike, setCondition } from './case.ts'

const NAMESPACE = 'openshift-gitops'
const ARGO = `hub/ArgoCD/${NAMESPACE}/openshift-gitops`
const GOC = `hub/GitOpsCluster/${NAMESPACE}/gitops-agent-clusters`
const POLICY = `hub/Policy/${NAMESPACE}/gitops-agent-clusters-argocd-policy`
const PRINCIPAL = `hub/Deployment/${NAMESPACE}/openshift-gitops-agent-principal`
const AGENT = `bm/Deployment/${NAMESPACE}/acm-openshift-gitops-agent-agent`
const APP = `hub/Application/${NAMESPACE}/branding-bottom-bm`
const AGENT_BLOCK = [
  'spec',
  'policy-templates',
  0,
  'objectDefinition',
  'spec',
  'object-templates',
  0,
  'objectDefinition',
]
const IMAGE = ['spec', 'template', 'spec', 'containers', 0, 'image']

/**
 * What proves that a row of the tables on agent mode is found: a recorded fleet that has the fault (`fleet`), a case of the
 * catalogue (`slug` and the beginning of its `fault`), or a change of `agent-healthy` that stands for it.
 */
export type Proof =
  | { readonly fleet: string; readonly code: string }
  | { readonly slug: string; readonly fault: string }
  | { readonly change: (p: Patch) => void; readonly code: string; readonly says?: RegExp }

/** The principal has died with these last words. */
const crash =
  (words: string) =>
  (p: Patch): void => {
    p.set(PRINCIPAL, ['status', 'readyReplicas'], 0)
    p.set(refLike(p, `hub/Pod/${NAMESPACE}/openshift-gitops-agent-principal-`), ['status', 'containerStatuses', 0], {
      name: 'openshift-gitops-agent-principal',
      ready: false,
      restartCount: 6,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { message: words } },
    })
  }

const failed =
  (type: string, reason: string, message: string) =>
  (p: Patch): void => {
    setCondition(p, GOC, type, { status: 'False', reason, message })
    setCondition(p, GOC, 'Ready', { status: 'False', reason: 'ClusterRegistrationFailed', message })
  }

/** An Application of one agent, beside the recorded one. */
const another =
  (change: (raw: { metadata: Record<string, unknown>; spec: Record<string, unknown> }) => void) =>
  (p: Patch): void => {
    copyOf(p, APP, 'kiosk', raw => {
      const app = raw as { metadata: Record<string, unknown>; spec: Record<string, unknown> }
      app.metadata.ownerReferences = []
      change(app)
    })
  }

const saidOfApp =
  (type: string, message: string) =>
  (p: Patch): void => {
    p.set(APP, ['status', 'conditions'], [{ type, message, lastTransitionTime: '2026-11-30T16:30:00Z' }])
    p.set(APP, ['status', 'sync', 'status'], 'Unknown')
    p.set(
      `bm/Application/${NAMESPACE}/branding-bottom-bm`,
      ['status', 'conditions'],
      [{ type, message, lastTransitionTime: '2026-11-30T16:30:00Z' }],
    )
    p.set(`bm/Application/${NAMESPACE}/branding-bottom-bm`, ['status', 'sync', 'status'], 'Unknown')
  }

const decide =
  (...names: readonly string[]) =>
  (p: Patch): void =>
    p.set(
      refLike(p, `hub/PlacementDecision/${NAMESPACE}/production-clusters`),
      ['status', 'decisions'],
      names.map(clusterName => ({ clusterName, reason: '' })),
    )

/** The failure table, by the numbers of its rows. */
export const FAILURES: Readonly<Record<number, Proof>> = {
  1: { slug: 'principal-down', fault: 'the Secret with its certificate' },
  2: {
    change: crash('[FATAL]: secret openshift-gitops/argocd-agent-principal-tls is not a TLS secret'),
    code: 'FLT0813',
    says: /not a TLS secret/,
  },
  3: { change: crash('[FATAL]: could not read secret openshift-gitops/argocd-agent-ca'), code: 'FLT0813' },
  4: {
    change: crash('[FATAL]: Could not load resource proxy TLS configuration: error getting proxy certificate'),
    code: 'FLT0813',
  },
  5: { change: crash('[FATAL]: could not read JWT secret: JWT signing key is missing'), code: 'FLT0813' },
  6: {
    change: p => p.set(ARGO, ['spec', 'argoCDAgent', 'principal', 'auth'], 'CN'),
    code: 'FLT0802',
    says: /has no method/,
  },
  7: { slug: 'principal-rights-missing', fault: 'the namespace was taken out' },
  8: { change: crash('[FATAL]: namespace is required for principal identity'), code: 'FLT0813' },
  9: { slug: 'principal-down', fault: 'an old operator' },
  10: { slug: 'principal-redis-unresolved', fault: 'Redis runs under another name' },
  14: { slug: 'principal-certificate-stale', fault: 'the certificate was issued anew' },
  15: {
    change: p =>
      p.set(`hub/Secret/${NAMESPACE}/argocd-agent-ca`, ['metadata', 'creationTimestamp'], '2026-11-30T16:35:00Z'),
    code: 'FLT0814',
    says: /started before "argocd-agent-ca" was written/,
  },
  16: { slug: 'principal-address-not-certified', fault: 'the certificate was issued before' },
  17: { fleet: 'agent-auth-regex-mismatch', code: 'FLT0802' },
  18: { slug: 'agent-name-forbidden', fault: 'a cluster with a dot' },
  19: { change: decide('bm', NAMESPACE), code: 'FLT0819', says: /is also the namespace of the principal/ },
  20: { slug: 'agent-certificates-blocked', fault: 'a certificate was blocked' },
  21: { slug: 'agent-version-skew', fault: 'a spoke was updated' },
  22: {
    change: p => p.set(AGENT, IMAGE, 'quay.io/argoprojlabs/argocd-agent:v0.7.0'),
    code: 'FLT0832',
    says: /bm \(0\.7\.0\)/,
  },
  23: { slug: 'agent-mode-differs', fault: 'the mode is no word' },
  24: { slug: 'agent-mode-differs', fault: 'the add-on config' },
  25: { slug: 'agent-settings-refused', fault: 'an autonomous agent' },
  26: {
    change: p =>
      p.set(POLICY, [...AGENT_BLOCK, 'spec', 'argoCDAgent', 'agent', 'destinationBasedMapping'], {
        enabled: false,
        createNamespace: true,
      }),
    code: 'FLT0833',
    says: /namespaces cannot be created/,
  },
  27: { fleet: 'agent-no-route', code: 'FLT0205' },
  28: { slug: 'agent-address-stale', fault: 'the Route got another host' },
  29: { slug: 'principal-route-unusable', fault: 'TLS ends at the edge' },
  30: { slug: 'agent-status-stale', fault: 'an agent has gone silent' },
  31: { change: p => p.remove(`hub/Secret/${NAMESPACE}/cluster-bm`), code: 'FLT0213' },
  32: { slug: 'agent-mapped-twice', fault: 'a copied secret' },
  34: { slug: 'agent-destination-by-server', fault: 'a template names the server' },
  35: { slug: 'destination-name-unknown', fault: 'an Application names a cluster' },
  36: { slug: 'agent-namespace-refused', fault: 'the principal watches' },
  37: {
    change: p => {
      another(raw => {
        raw.metadata.namespace = 'kiosk-team'
      })(p)
      p.set(
        'bm/ArgoCD/openshift-gitops/acm-openshift-gitops',
        ['spec', 'argoCDAgent', 'agent', 'allowedNamespaces'],
        [NAMESPACE],
      )
    },
    code: 'FLT0825',
    says: /the agent of "bm" does not accept namespace "kiosk-team"/,
  },
  38: { slug: 'agent-namespace-refused', fault: 'the namespace does not exist' },
  39: { fleet: 'agent-appproject-no-match', code: 'FLT0804' },
  40: {
    change: saidOfApp(
      'InvalidSpecError',
      "application destination server 'https://kubernetes.default.svc' and namespace 'default' do not match any of the allowed destinations in project 'default'",
    ),
    code: 'FLT0516',
  },
  41: {
    change: saidOfApp(
      'ComparisonError',
      'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = authentication required: Repository not found.',
    ),
    code: 'FLT0502',
  },
  42: { slug: 'skip-reconcile-missing', fault: 'the controller is on' },
  43: { fleet: 'agent-hub-frozen-push', code: 'FLT0801' },
  44: { slug: 'cluster-config-missing', fault: 'the operator was not told' },
  45: { slug: 'argocd-not-reconciled', fault: 'a terminating namespace' },
  46: { slug: 'placement-selects-hub', fault: 'the Placement of the add-on' },
  47: {
    change: failed(
      'ArgoCDPolicyReady',
      'ArgoCDPolicyCreationFailed',
      'failed to create policy: no matches for kind "Policy" in version "policy.open-cluster-management.io/v1"',
    ),
    code: 'FLT0205',
    says: /ArgoCDPolicyReady/,
  },
  48: { slug: 'policy-noncompliant', fault: 'the operator is not there' },
  49: {
    change: p => {
      const policy = p.edit(POLICY) as { status: { status: { clustername: string }[] } }
      policy.status.status = policy.status.status.filter(s => s.clustername !== 'sno')
      p.remove('hub/Policy/sno/openshift-gitops.gitops-agent-clusters-argocd-policy')
    },
    code: 'FLT0907',
    says: /has not reached sno/,
  },
  50: {
    change: p =>
      setCondition(p, 'hub/ManagedClusterAddOn/bm/gitops-addon', 'Available', {
        status: 'False',
        reason: 'ProbeUnavailable',
        message: 'the add-on agent does not run',
      }),
    code: 'FLT0901',
  },
  51: { fleet: 'agent-client-cert-missing', code: 'FLT0806' },
  52: { fleet: 'agent-client-cert-missing', code: 'FLT0805' },
  53: { slug: 'operator-not-installed', fault: 'the catalog does not answer' },
  54: { slug: 'argocd-twice', fault: 'the default instance' },
  55: { slug: 'image-not-pulled', fault: 'the pull secret' },
  56: { fleet: 'agent-spoke-controller-forbidden', code: 'FLT0507' },
  57: { fleet: 'agent-read-rbac-missing', code: 'FLT0810' },
  58: { slug: 'tracking-by-label', fault: 'an old instance' },
  59: { slug: 'principal-redis-unresolved', fault: 'Redis runs under another name' },
  60: { slug: 'agent-secret-malformed', fault: 'the server of a secret' },
  62: { slug: 'agent-left-over', fault: 'the hub was switched back' },
  63: {
    change: p =>
      void copyOf(p, `hub/Secret/${NAMESPACE}/cluster-bm`, 'bm-application-manager-cluster-secret', raw => {
        const { metadata, data } = raw as { metadata: Record<string, unknown>; data: Record<string, string> }
        metadata.labels = {
          'argocd.argoproj.io/secret-type': 'cluster',
          'apps.open-cluster-management.io/acm-cluster': 'true',
        }
        metadata.annotations = {}
        data.server = base64('https://api.bm.example.test:6443')
      }),
    code: 'FLT0215',
  },
  64: {
    change: p => void copyOf(p, GOC, 'gitops-agents-again'),
    code: 'FLT0206',
  },
  65: { change: p => p.remove(`hub/Secret/${NAMESPACE}/cluster-sno`), code: 'FLT0213' },
  66: { slug: 'addon-deletion-stuck', fault: 'the spoke cannot carry out' },
  67: {
    change: failed('ArgoCDAgentPrereqsReady', 'ArgoCDAgentFailed', 'ArgoCD Redis password secret not found'),
    code: 'FLT0205',
    says: /Redis password secret not found/,
  },
  71: { slug: 'autonomous-namespace-missing', fault: 'the namespace of an agent' },
  72: {
    change: p => {
      p.add('hub', 'Namespace', { metadata: { name: 'fleet', uid: 'uid-of-fleet' }, status: { phase: 'Active' } })
      copyOf(p, GOC, 'elsewhere', raw => {
        const { metadata } = raw as { metadata: Record<string, unknown> }
        metadata.namespace = 'fleet'
      })
      setCondition(p, 'hub/GitOpsCluster/fleet/elsewhere', 'ArgoServerVerified', {
        status: 'False',
        reason: 'InvalidConfiguration',
        message: 'namespace fleet is not authorised for namespace openshift-gitops',
      })
    },
    code: 'FLT0204',
  },
  73: {
    change: failed(
      'ArgoServerVerified',
      'ArgoServerNotFound',
      'ArgoCD server pod was not found in the specified namespace',
    ),
    code: 'FLT0203',
  },
  75: { slug: 'agent-keepalive-refused', fault: 'an agent pings' },
}

/** The checks A01 to A28, by their numbers; all that one of them looks at. */
export const CHECKS_OF_AGENTS: Readonly<Record<number, readonly Proof[]>> = {
  1: [{ fleet: 'agent-hub-frozen-push', code: 'FLT0801' }],
  2: [{ slug: 'agent-version-skew', fault: 'a spoke was updated' }],
  3: [{ slug: 'principal-certificate-stale', fault: 'the certificate was issued anew' }],
  4: [
    { slug: 'agent-certificate-expiring', fault: 'nobody renewed' },
    { slug: 'agent-certificate-expiring', fault: 'the certificate of an agent has expired' },
    { slug: 'agent-certificate-expiring', fault: 'the hub knows' },
  ],
  5: [
    { slug: 'principal-down', fault: 'the Secret with its certificate' },
    { slug: 'principal-down', fault: 'an old operator' },
  ],
  6: [{ fleet: 'agent-auth-regex-mismatch', code: 'FLT0802' }],
  7: [
    { fleet: 'agent-dbm-off-on-hub', code: 'FLT0803' },
    {
      change: p => p.set(ARGO, ['spec', 'argoCDAgent', 'principal', 'destinationBasedMapping'], false),
      code: 'FLT0803',
      says: /off for principal .* and on for the agents/,
    },
  ],
  8: [
    { slug: 'agent-address-stale', fault: 'the Route got another host' },
    { slug: 'principal-address-not-certified', fault: 'the certificate was issued before' },
  ],
  9: [
    { change: p => p.remove(`hub/Secret/${NAMESPACE}/cluster-bm`), code: 'FLT0213' },
    { slug: 'agent-mapped-twice', fault: 'a copied secret' },
    { slug: 'agent-secret-malformed', fault: 'the server of a secret' },
  ],
  10: [
    { slug: 'skip-reconcile-missing', fault: 'the controller is on' },
    { slug: 'hybrid-unsupported', fault: 'the controller was left on' },
  ],
  11: [{ fleet: 'agent-no-route', code: 'FLT0205' }],
  12: [
    { slug: 'placement-selects-hub', fault: 'the Placement of the add-on' },
    { change: p => void copyOf(p, GOC, 'gitops-agents-again'), code: 'FLT0206' },
  ],
  13: [
    {
      change: p =>
        setCondition(p, 'hub/ManagedClusterAddOn/bm/gitops-addon', 'Available', {
          status: 'Unknown',
          reason: 'ManagedClusterAddOnLeaseUpdateStopped',
          message: '',
        }),
      code: 'FLT0901',
    },
    { slug: 'addon-not-deployed', fault: 'the manifests of the add-on' },
    { slug: 'addon-deletion-stuck', fault: 'the spoke cannot carry out' },
  ],
  14: [
    { slug: 'policy-noncompliant', fault: 'the operator is not there' },
    { fleet: 'agent-read-rbac-missing', code: 'FLT0810' },
  ],
  15: [
    { slug: 'agent-destination-by-server', fault: 'a template names the server' },
    { slug: 'agent-routing-lost', fault: 'the template was changed' },
    { slug: 'destination-name-unknown', fault: 'an Application names a cluster' },
    { slug: 'agent-namespace-refused', fault: 'the principal watches' },
    { slug: 'agent-application-ignored', fault: 'an Application is labelled' },
    { slug: 'agent-copy-differs', fault: 'somebody changed the path' },
    { fleet: 'agent-appproject-no-match', code: 'FLT0804' },
  ],
  16: [{ slug: 'agent-status-stale', fault: 'an agent has gone silent' }],
  17: [
    { fleet: 'agent-spoke-controller-forbidden', code: 'FLT0507' },
    {
      change: saidOfApp('InvalidSpecError', 'Application referencing project default which does not exist'),
      code: 'FLT0516',
    },
  ],
  18: [{ slug: 'principal-redis-unresolved', fault: 'Redis runs under another name' }],
  19: [
    { slug: 'cluster-config-missing', fault: 'the operator was not told' },
    { slug: 'principal-rights-missing', fault: 'the namespace was taken out' },
  ],
  20: [{ slug: 'argocd-field-dropped', fault: 'the namespaces were given' }],
  21: [{ fleet: 'agent-healthy', code: 'FLT0812' }],
  22: [
    { slug: 'agent-left-over', fault: 'the hub was switched back' },
    { slug: 'addon-left-over', fault: 'the GitOpsCluster was deleted' },
    { slug: 'agents-unregistered', fault: 'the agent mode was taken off' },
  ],
  23: [{ slug: 'agent-name-forbidden', fault: 'a cluster with a dot' }],
  24: [{ slug: 'agent-mode-differs', fault: 'the add-on config' }],
  25: [
    { fleet: 'agent-appproject-no-match', code: 'FLT0804' },
    { slug: 'project-excludes-agent', fault: 'agents before 0.9' },
  ],
  27: [
    { slug: 'principal-route-unusable', fault: 'no router takes' },
    { slug: 'principal-route-unusable', fault: 'TLS ends at the edge' },
  ],
  28: [{ fleet: 'agent-client-cert-missing', code: 'FLT0806' }],
}
