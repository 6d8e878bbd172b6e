import { type Case, copyOf, DAY, setCondition } from './case.ts'

const NAMESPACE = 'openshift-gitops'
const PLACEMENT = `hub/Placement/${NAMESPACE}/emea-openshift`

export const CLUSTER_CASES: readonly Case[] = [
  {
    slug: 'cluster-lease-late',
    fleet: 'push-healthy',
    fault: 'the agent stopped three lease durations ago, and the hub has not noticed yet',
    change: p => p.set('hub/Lease/bm/managed-cluster-lease', ['spec', 'renewTime'], '2026-11-30T17:12:30.000000Z'),
    subject: 'ManagedCluster/bm',
    severity: 'warning',
    says: /has not renewed its lease for \d+/,
  },
  {
    slug: 'cluster-name-reserved',
    fleet: 'push-healthy',
    fault: 'a cluster was imported as in-cluster',
    change: p => void copyOf(p, 'hub/ManagedCluster/bm', 'in-cluster'),
    subject: 'ManagedCluster/in-cluster',
    severity: 'warning',
    says: /the name that Argo CD gives/,
  },
  {
    slug: 'cluster-csr-flood',
    fleet: 'push-healthy',
    fault: 'two agent pods ask for certificates in turn',
    change: p => {
      for (let i = 0; i < 8; i++) {
        copyOf(p, 'hub/CertificateSigningRequest/bm-bs448', `bm-flood${i}`, raw => {
          const meta = raw.metadata as Record<string, unknown>
          meta.creationTimestamp = `2026-11-30T17:14:0${i}Z`
        })
      }
    },
    subject: 'ManagedCluster/bm',
    severity: 'warning',
    says: /has asked for \d+ client certificates within 10 minutes/,
  },
  {
    slug: 'cluster-namespace-terminating',
    fleet: 'push-healthy',
    fault: 'a namespace waits for an add-on with a finalizer',
    change: p => {
      p.set('hub/Namespace/bm', ['metadata', 'deletionTimestamp'], '2026-11-30T16:00:00Z')
      p.set(
        'hub/ManagedClusterAddOn/bm/cluster-proxy',
        ['metadata', 'finalizers'],
        ['addon.open-cluster-management.io/addon-pre-delete'],
      )
    },
    subject: 'Namespace/bm',
    severity: 'warning',
    says: /ManagedClusterAddOn cluster-proxy/,
  },
  {
    slug: 'klusterlet-degraded',
    fleet: 'pull-healthy',
    fault: 'the CA of the hub was renewed, and the agent is refused',
    change: p =>
      p.add('bm', 'Klusterlet', {
        apiVersion: 'operator.open-cluster-management.io/v1',
        kind: 'Klusterlet',
        metadata: { name: 'klusterlet' },
        status: {
          conditions: [
            {
              type: 'HubConnectionDegraded',
              status: 'True',
              reason: 'BootstrapSecretFunctional,HubKubeConfigSecretMissing',
              message: 'secret "hub-kubeconfig-secret" not found',
            },
          ],
        },
      }),
    subject: 'Klusterlet/klusterlet on bm',
    severity: 'error',
    says: /has no kubeconfig for the hub/,
  },
  {
    slug: 'klusterlet-degraded',
    fleet: 'pull-healthy',
    fault: 'only the secret to join anew has expired',
    change: p =>
      p.add('bm', 'Klusterlet', {
        apiVersion: 'operator.open-cluster-management.io/v1',
        kind: 'Klusterlet',
        metadata: { name: 'klusterlet' },
        status: {
          conditions: [
            { type: 'HubConnectionDegraded', status: 'True', reason: 'BootstrapSecretUnauthorized', message: '' },
            { type: 'Available', status: 'True', reason: 'klusterletAvailable', message: '' },
          ],
        },
      }),
    subject: 'Klusterlet/klusterlet on bm',
    severity: 'warning',
    says: /the secret to join anew has expired/,
  },
  {
    slug: 'binding-name-differs',
    fleet: 'push-healthy',
    fault: 'a binding names another set in its spec than in its name',
    change: p => p.set(`hub/ManagedClusterSetBinding/${NAMESPACE}/retail-emea`, ['spec', 'clusterSet'], 'retail-apac'),
    subject: `${NAMESPACE}/ManagedClusterSetBinding/retail-emea`,
    severity: 'warning',
    says: /says set "retail-apac", but the scheduler takes it for set "retail-emea"/,
  },
  {
    slug: 'placement-short',
    fleet: 'push-healthy',
    fault: 'three clusters are asked for and two pass the filters',
    change: p => {
      p.set(PLACEMENT, ['spec', 'numberOfClusters'], 3)
      setCondition(p, PLACEMENT, 'PlacementSatisfied', {
        status: 'False',
        reason: 'NotAllDecisionsScheduled',
        message: '1 cluster decisions unscheduled',
      })
    },
    subject: `${NAMESPACE}/Placement/emea-openshift`,
    severity: 'warning',
    says: /asks for 3 clusters and gets 2/,
  },
  {
    slug: 'placement-rule-legacy',
    fleet: 'push-healthy',
    fault: 'a generator reads the ConfigMap of PlacementRules',
    change: p =>
      p.set(
        `hub/ApplicationSet/${NAMESPACE}/node-baseline`,
        ['spec', 'generators', 0, 'clusterDecisionResource', 'configMapRef'],
        'acm-placementrule',
      ),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'warning',
    says: /takes its clusters from PlacementRules/,
  },
  {
    slug: 'goc-field-ignored',
    fleet: 'push-healthy',
    fault: 'the Placement is said to be in another namespace',
    change: p =>
      p.set(`hub/GitOpsCluster/${NAMESPACE}/emea-push`, ['spec', 'placementRef', 'namespace'], 'acm-policies'),
    subject: `${NAMESPACE}/GitOpsCluster/emea-push`,
    severity: 'warning',
    says: /placementRef\.namespace "acm-policies"/,
  },
  {
    slug: 'goc-field-ignored',
    fleet: 'push-healthy',
    fault: 'the Argo CD of another cluster is asked for',
    change: p => p.set(`hub/GitOpsCluster/${NAMESPACE}/emea-push`, ['spec', 'argoServer', 'cluster'], 'bm'),
    subject: `${NAMESPACE}/GitOpsCluster/emea-push`,
    severity: 'warning',
    says: /argoServer\.cluster "bm"/,
  },
  {
    slug: 'goc-reference-old',
    fleet: 'push-healthy',
    fault: 'the reference was written for an older hub',
    change: p =>
      p.set(
        `hub/GitOpsCluster/${NAMESPACE}/emea-push`,
        ['spec', 'placementRef', 'apiVersion'],
        'cluster.open-cluster-management.io/v1alpha1',
      ),
    subject: `${NAMESPACE}/GitOpsCluster/emea-push`,
    severity: 'warning',
    says: /a version that no hub serves/,
  },
  {
    slug: 'goc-in-cluster-namespace',
    fleet: 'push-healthy',
    fault: 'a second GitOpsCluster was put into the namespace of a cluster',
    change: p =>
      void copyOf(p, `hub/GitOpsCluster/${NAMESPACE}/emea-push`, 'misplaced', raw => {
        const meta = raw.metadata as Record<string, unknown>
        meta.namespace = 'bm'
      }),
    subject: 'bm/GitOpsCluster/misplaced',
    severity: 'warning',
    says: /which belongs to a managed cluster/,
  },
  {
    slug: 'secret-orphaned',
    fleet: 'push-healthy',
    fault: 'a cluster was detached and its secret stayed',
    change: p => p.remove('hub/ManagedCluster/sno'),
    subject: `${NAMESPACE}/Secret/sno-application-manager-cluster-secret`,
    severity: 'warning',
    says: /left from clusters that the hub does not manage: sno/,
  },
  {
    slug: 'msa-token-expiring',
    fleet: 'push-healthy',
    fault: 'nobody renewed the token at 80 % of its life',
    change: p => {
      for (const cluster of ['local-cluster', 'sno'])
        p.remove(`hub/ManagedServiceAccount/${cluster}/application-manager`)
      p.later(340 * DAY)
    },
    subject: 'bm/ManagedServiceAccount/application-manager',
    severity: 'warning',
    says: /expires in \d+d and should have been renewed/,
  },
  {
    slug: 'msa-rotation-spins',
    fleet: 'push-healthy',
    fault: 'the API server of the cluster grants a day',
    change: p =>
      p.set(
        'hub/ManagedServiceAccount/bm/application-manager',
        ['status', 'expirationTimestamp'],
        '2026-12-01T17:15:22Z',
      ),
    subject: 'bm/ManagedServiceAccount/application-manager',
    severity: 'warning',
    says: /asks for tokens of 8640h, but the cluster grants 24h/,
  },
  {
    slug: 'secret-fell-back',
    fleet: 'push-healthy',
    fault: 'a secret uses the API URL beside a proxy',
    change: p =>
      p.set(
        `hub/Secret/${NAMESPACE}/bm-application-manager-cluster-secret`,
        ['metadata', 'labels', 'apps.open-cluster-management.io/data-source'],
        'managed-service-account',
      ),
    subject: `${NAMESPACE}/Secret/bm-application-manager-cluster-secret`,
    severity: 'info',
    says: /use the API URL, although the hub has a cluster proxy/,
  },
  {
    slug: 'secret-insecure',
    fleet: 'push-healthy',
    fault: 'a secret switches TLS verification off',
    change: p =>
      p.set(
        `hub/Secret/${NAMESPACE}/bm-application-manager-cluster-secret`,
        ['data', 'config'],
        Buffer.from('{"bearerToken":"CANARY","tlsClientConfig":{"insecure": true}}').toString('base64'),
      ),
    subject: `${NAMESPACE}/Secret/bm-application-manager-cluster-secret`,
    severity: 'info',
    says: /does not verify the API server of bm/,
  },
  {
    slug: 'cluster-permission-failed',
    fleet: 'push-healthy',
    fault: 'the policy template made one without bindings',
    change: p =>
      p.add('hub', 'ClusterPermission', {
        apiVersion: 'rbac.open-cluster-management.io/v1alpha1',
        kind: 'ClusterPermission',
        metadata: { name: 'emea-push-cluster-permission', namespace: 'bm' },
        spec: {},
        status: {
          conditions: [
            {
              type: 'Validation',
              status: 'False',
              reason: 'FailedValidationNoBindingsDefined',
              message: 'no bindings defined',
              lastTransitionTime: '2026-11-30T17:00:00Z',
            },
          ],
        },
      }),
    subject: 'bm/ClusterPermission/emea-push-cluster-permission',
    severity: 'error',
    says: /gives no rights: Validation False \(FailedValidationNoBindingsDefined\)/,
  },
  {
    slug: 'secret-readers',
    fleet: 'push-healthy',
    fault: 'a group of people may read Secrets beside Argo CD',
    change: p => {
      p.add('hub', 'Role', {
        metadata: { name: 'support', namespace: NAMESPACE },
        rules: [{ apiGroups: [''], resources: ['pods', 'secrets'], verbs: ['get', 'list'] }],
      })
      p.add('hub', 'RoleBinding', {
        metadata: { name: 'support', namespace: NAMESPACE },
        roleRef: { kind: 'Role', name: 'support' },
        subjects: [
          { kind: 'Group', name: 'first-line' },
          { kind: 'ServiceAccount', name: 'openshift-gitops-server', namespace: NAMESPACE },
        ],
      })
    },
    subject: `${NAMESPACE}/Secret/bm-application-manager-cluster-secret`,
    severity: 'info',
    says: /^Group first-line can read the credentials of 2 clusters/,
  },
  {
    slug: 'spoke-account-admin',
    fleet: 'push-healthy',
    fault: 'one of two clusters was given narrow rights',
    change: p => {
      p.set('sno/ClusterRoleBinding/open-cluster-management:application-manager', ['roleRef', 'name'], 'deployer')
      p.add('sno', 'ClusterRole', {
        metadata: { name: 'deployer' },
        rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['*'] }],
      })
    },
    subject: 'open-cluster-management-agent-addon/ServiceAccount/application-manager on bm',
    severity: 'info',
    says: /Cluster "bm" is pushed to as cluster-admin, while sno gets along with less/,
  },
]
