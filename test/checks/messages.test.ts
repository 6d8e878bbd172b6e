import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { providerOf } from '../../src/checks/argo/kind-providers.ts'
import {
  admissionName,
  type MessageKind,
  messageKind,
  missingKind,
  missingNamespace,
  missingRevision,
  parseConflict,
  parseForbidden,
  quotaName,
  refusedObject,
  shortMessage,
  waitedHook,
} from '../../src/checks/argo/messages.ts'
import { grantNamespace, grantRules, remedy } from '../../src/checks/argo/remedies.ts'
import { loadFleet } from '../../src/fleet/load.ts'
import { openPath } from '../../src/source/open.ts'
import { FLEET_NAMES, FLEETS } from '../support/fleets.ts'

const CONTROLLER = 'system:serviceaccount:openshift-gitops:openshift-gitops-argocd-application-controller'

/** Texts of real controllers: the recorded fleets, the reference documents, public reports of the projects named. */
const FORMS: readonly (readonly [MessageKind, string])[] = [
  // Kubernetes: rights
  [
    'forbidden',
    `one or more objects failed to apply, reason: configmaps is forbidden: User "${CONTROLLER}" cannot create resource "configmaps" in API group "" in the namespace "branding"`,
  ],
  [
    'forbidden',
    `error synchronizing cache state : failed to load initial state of resource Ingress.networking.k8s.io: ingresses.networking.k8s.io is forbidden: User "${CONTROLLER}" cannot list resource "ingresses" in API group "networking.k8s.io" at the cluster scope`,
  ],
  [
    'escalation',
    `roles.rbac.authorization.k8s.io "till" is forbidden: user "${CONTROLLER}" (groups=["system:serviceaccounts"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`,
  ],
  [
    'terminating',
    'configmaps "branding" is forbidden: unable to create new content in namespace branding because it is being terminated',
  ],
  // Kubernetes: what is not there
  [
    'namespace-missing',
    'one or more objects failed to apply, reason: namespaces "kiosk-system" not found (retried 1 times).',
  ],
  [
    'kind-missing',
    'The Kubernetes API could not find cert-manager.io/Certificate for requested resource shop/shop. Make sure the "Certificate" CRD is installed on the destination cluster.',
  ],
  [
    'kind-missing',
    'The Kubernetes API could not find version "v1beta1" of external-secrets.io/ExternalSecret for requested resource shop/db. Version "v1" of external-secrets.io/ExternalSecret is installed on the destination cluster.',
  ],
  [
    'kind-missing',
    'resource mapping not found for name: "shop" namespace: "shop" from "/dev/shm/1": no matches for kind "ServiceMonitor" in version "monitoring.coreos.com/v1" ensure CRDs are installed first',
  ],
  [
    'kind-missing',
    'the server could not find the requested resource'.replace('the server', 'The Kubernetes API server'),
  ],
  ['kind-missing', `Failed to apply manifest: the server doesn't have a resource type "Application"`],
  // Kubernetes: what is refused
  [
    'immutable',
    'Deployment.apps "till" is invalid: spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"till"}}: field is immutable',
  ],
  [
    'immutable',
    "StatefulSet.apps \"db\" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template' are forbidden",
  ],
  [
    'immutable',
    'PersistentVolumeClaim "data" is invalid: spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
  ],
  [
    'immutable',
    'Service "till" is invalid: spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset; may not change once set',
  ],
  [
    'immutable',
    'RoleBinding.rbac.authorization.k8s.io "till" is invalid: roleRef: Invalid value: rbac.RoleRef{}: cannot change roleRef',
  ],
  ['invalid', 'Deployment.apps "till" is invalid: spec.template.spec.containers[0].image: Required value'],
  [
    'invalid',
    'failed to create typed patch object (shop/till; apps/v1, Kind=Deployment): .spec.template.spec.foo: field not declared in schema',
  ],
  [
    'webhook',
    'admission webhook "validate.kyverno.svc-fail" denied the request: resource Pod/shop/till was blocked due to the following policies',
  ],
  [
    'webhook',
    'admission webhook "manifestworkvalidators.admission.work.open-cluster-management.io" denied the request: the size of manifests is 613243 bytes which exceeds the 512000 limit',
  ],
  [
    'webhook-down',
    'Internal error occurred: failed calling webhook "mutate.argocds.argoproj.io": failed to call webhook: Post "https://argocd-operator-webhook-service.argocd.svc:443/convert": no endpoints available for service "argocd-operator-webhook-service"',
  ],
  [
    'webhook-down',
    'Internal error occurred: failed calling webhook "validate.nginx": failed to call webhook: Post "https://nginx.ingress.svc:443": context deadline exceeded',
  ],
  [
    'admission',
    `deployments.apps "till" is forbidden: ValidatingAdmissionPolicy 'limit-replicas' with binding 'limit-replicas' denied request: no more than 5`,
  ],
  [
    'admission',
    'pods "till" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false',
  ],
  [
    'admission',
    'pods "till-" is forbidden: unable to validate against any security context constraint: [provider restricted-v2: .containers[0].runAsUser: Invalid value: 0]',
  ],
  [
    'quota',
    'pods "till" is forbidden: exceeded quota: team, requested: requests.cpu=2, used: requests.cpu=9, limited: requests.cpu=10',
  ],
  ['quota', 'pods "till" is forbidden: failed quota: team: must specify limits.cpu,limits.memory'],
  ['quota', 'pods "till" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi'],
  [
    'conflict',
    'Apply failed with 1 conflict: conflict with "kube-controller-manager" with subresource "scale" using apps/v1: .spec.replicas',
  ],
  [
    'modified',
    'Operation cannot be fulfilled on deployments.apps "till": the object has been modified; please apply your changes to the latest version and try again',
  ],
  [
    'annotation-size',
    'CustomResourceDefinition.apiextensions.k8s.io "applicationsets.argoproj.io" is invalid: metadata.annotations: Too long: must have at most 262144 bytes',
  ],
  ['too-large', 'etcdserver: request is too large'],
  ['too-large', 'Request entity too large: limit is 3145728'],
  ['hook', 'waiting for completion of hook batch/Job/schema-migrate'],
  ['hook', 'Job has reached the specified backoff limit'],
  // Argo CD: its own decisions
  ['sync-window', 'Sync operation blocked by sync window'],
  ['would-empty', 'Skipping sync attempt to [241905c2]: auto-sync will wipe out all resources'],
  ['project-missing', 'Application referencing project default which does not exist'],
  ['project-missing', 'application references project finance which does not exist (and 1 more)'],
  [
    'project-denies',
    "application destination server 'https://api.bm.example.test:6443' and namespace '' do not match any of the allowed destinations in project 'retail'",
  ],
  ['project-denies', "application repo https://git.example.test/x.git is not permitted in project 'retail'"],
  ['project-denies', "application 'kiosk' in namespace 'kiosk-team' is not permitted to use project 'default'"],
  ['agent-namespace', 'namespace kiosk-team is not permitted: not in allowed namespaces list'],
  // Argo CD: clusters
  [
    'cluster-ambiguous',
    'application destination spec is invalid: there are 2 clusters with the same name: [https://a https://b]',
  ],
  ['cluster-unknown', 'application destination spec is invalid: there are no clusters with this name: sno'],
  [
    'cluster-unknown',
    'error getting cluster by server "https://api.old.example.test:6443": rpc error: code = NotFound desc = cluster "https://api.old.example.test:6443" not found',
  ],
  ['cluster-unknown', `cluster 'https://api.x.example.test' has not been configured`],
  [
    'cluster-schema',
    'Failed to load live state: failed to get cluster info for "https://x": error synchronizing cache state : failed to load open api schema while syncing cluster cache: error getting openapi resources: SchemaError(sigs.k8s.io/kueue/apis/visibility/v1beta1.PendingWorkloadsSummary.items): unknown model in reference: "x"',
  ],
  [
    'cluster-schema',
    'failed to load open api schema while syncing cluster cache: error getting openapi resources: the server is currently unable to handle the request',
  ],
  [
    'cluster-unreachable',
    'failed to load open api schema while syncing cluster cache: error getting openapi resources: Get "https://10.96.0.1:443/openapi/v2?timeout=32s": context deadline exceeded',
  ],
  [
    'cluster-unreachable',
    'Failed to load live state: failed to get cluster info for "https://bm-control-plane": error synchronizing cache state : Get "https://bm-control-plane/version?timeout=32s": dial tcp: lookup bm-control-plane: no such host',
  ],
  ['unauthorized', 'failed to discover server resources for group version v1: Unauthorized'],
  [
    'unauthorized',
    'failed to get cluster info for "https://x": error synchronizing cache state : the server has asked for the client to provide credentials',
  ],
  // Repositories
  [
    'repository-auth',
    'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = failed to list refs: authentication required: ',
  ],
  [
    'repository-auth',
    'failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = ssh: handshake failed: ssh: unable to authenticate, attempted methods [none publickey], no supported methods remain',
  ],
  [
    'repository-auth',
    "remote: Invalid username or token. Password authentication is not supported for Git operations. fatal: Authentication failed for 'https://git.example.test/x.git/'",
  ],
  [
    'repository-host-key',
    'rpc error: code = Unknown desc = failed to list refs: ssh: handshake failed: knownhosts: key is unknown',
  ],
  ['repository-host-key', 'ssh: handshake failed: knownhosts: key mismatch'],
  [
    'repository-tls',
    'rpc error: code = Unknown desc = failed to list refs: Get "https://git.example.test/x.git/info/refs?service=git-upload-pack": tls: failed to verify certificate: x509: certificate signed by unknown authority',
  ],
  [
    'repository-tls',
    'looks like "https://charts.example.test" is not a valid chart repository or cannot be reached: Get "https://charts.example.test/index.yaml": x509: certificate has expired or is not yet valid',
  ],
  [
    'repository-unreachable',
    'rpc error: code = Unknown desc = failed to list refs: dial tcp: lookup git.example.test on 10.96.0.10:53: no such host',
  ],
  ['revision-missing', "rpc error: code = Unknown desc = unable to resolve 'release-9' to a commit SHA"],
  [
    'revision-missing',
    'rpc error: code = Unknown desc = chart "shop" version "9.9.9" not found in https://charts.example.test repository',
  ],
  ['path-missing', 'rpc error: code = Unknown desc = clusters/sno/branding: app path does not exist'],
  [
    'plugin-missing',
    'rpc error: code = Unknown desc = plugin sidecar failed. couldn\'t find cmp-server plugin with name "kustomized-helm" supporting the given repository',
  ],
  [
    'signature',
    'Target revision 92aaf109b1e8855f0d4aae5cf62a6e40b024a8ae in Git is not signed, but a signature is required',
  ],
  [
    'rendering',
    'failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = `kustomize build <path to cached source>/apps/shop` failed exit status 1: Error: accumulating resources: accumulation err',
  ],
  [
    'rendering',
    'Manifest generation error (cached): `helm template . --name-template shop` failed exit status 1: Error: template: shop/templates/cm.yaml:3:14: nil pointer evaluating interface {}.name',
  ],
  // Unknown forms are quoted as they are.
  ['other', 'the moon is in the wrong quarter'],
  ['other', ''],
]

describe('the kind of a message', () => {
  test.each(FORMS.map(([kind, text]) => ({ kind, text })))('$kind: $text', ({ kind, text }) => {
    expect(messageKind(text)).toBe(kind)
  })

  test('every kind has a form, and every kind but those with a check of their own has a remedy', () => {
    const shown = new Set(FORMS.map(([kind]) => kind))
    const own = [
      'forbidden',
      'terminating',
      'namespace-missing',
      'agent-namespace',
      'project-missing',
      'project-denies',
      'cluster-schema',
      'hook',
      'sync-window',
      'would-empty',
      'other',
    ]
    for (const kind of shown) {
      const text = FORMS.find(([k]) => k === kind)?.[1] ?? ''
      if (!own.includes(kind)) expect(remedy(kind, text), kind).not.toBe('mend what the message names')
    }
    expect(remedy('other', 'x')).toBe('mend what the message names')
  })

  test('a long text that almost matches takes no long time', () => {
    const started = performance.now()
    for (const text of [
      'failed to list refs '.repeat(5000),
      `open api ${'a'.repeat(100_000)}`,
      `"${'x".'.repeat(30_000)}`,
    ]) {
      messageKind(text)
      parseForbidden(text)
      parseConflict(text)
      missingKind(text)
    }
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

describe('forbidden', () => {
  const create = parseForbidden(
    `deployments.apps is forbidden: User "${CONTROLLER}" cannot create resource "deployments" in API group "apps" in the namespace "shop"`,
  )
  const list = parseForbidden(
    `ingresses.networking.k8s.io is forbidden: User "${CONTROLLER}" cannot list resource "ingresses" in API group "networking.k8s.io" at the cluster scope`,
  )

  test('says who may not do what, and where', () => {
    expect(create).toEqual({
      account: { namespace: 'openshift-gitops', name: 'openshift-gitops-argocd-application-controller' },
      verb: 'create',
      resource: 'deployments',
      group: 'apps',
      namespace: 'shop',
    })
    expect(list?.namespace).toBe('')
    expect(
      parseForbidden(
        'configmaps "x" is forbidden: unable to create new content in namespace x because it is being terminated',
      ),
    ).toBeUndefined()
  })

  test('gives the smallest rule, with the verbs that an apply needs', () => {
    if (create === undefined || list === undefined) throw new Error('not parsed')
    expect(grantRules([create], 'binding')).toEqual([
      '  rules:',
      '  - apiGroups: ["apps"]',
      '    resources: ["deployments"]',
      '    verbs: ["get", "list", "watch", "create", "patch"]',
    ])
    expect(grantRules([list], 'cluster-permission')).toEqual([
      '  spec:',
      '    clusterRole:',
      '      rules:',
      '      - apiGroups: ["networking.k8s.io"]',
      '        resources: ["ingresses"]',
      '        verbs: ["get", "list", "watch"]',
    ])
    expect(grantRules([create, { ...create, verb: 'delete' }], 'binding').at(-1)).toBe(
      '    verbs: ["get", "list", "watch", "create", "patch", "delete"]',
    )
    expect(grantNamespace([create])).toBe('shop')
    expect(grantNamespace([create, list])).toBe('')
  })
})

test('missing kinds name what brings them', () => {
  expect(missingKind(FORMS.find(([, t]) => t.includes('cert-manager.io/Certificate'))?.[1] ?? '')).toEqual({
    group: 'cert-manager.io',
    version: '',
    kind: 'Certificate',
    otherVersion: false,
  })
  expect(missingKind('no matches for kind "ServiceMonitor" in version "monitoring.coreos.com/v1"')).toEqual({
    group: 'monitoring.coreos.com',
    version: 'v1',
    kind: 'ServiceMonitor',
    otherVersion: false,
  })
  expect(missingKind('no matches for kind "Widget" in version "v1"')).toEqual({
    group: '',
    version: 'v1',
    kind: 'Widget',
    otherVersion: false,
  })
  expect(providerOf('cert-manager.io')).toBe('cert-manager')
  expect(providerOf('cluster.open-cluster-management.io')).toMatch(/Open Cluster Management/)
  expect(providerOf('policy.open-cluster-management.io')).toMatch(/governance/)
  expect(providerOf('example.com')).toBeUndefined()
  expect(providerOf('')).toBeUndefined()
  expect(remedy('kind-missing', 'no matches for kind "Certificate" in version "cert-manager.io/v1"')).toMatch(
    /^install cert-manager: it brings kind cert-manager\.io\/Certificate/,
  )
  expect(remedy('kind-missing', 'no matches for kind "Thing" in version "example.com/v1"')).toMatch(
    /^install what brings kind example\.com\/Thing/,
  )
  expect(remedy('kind-missing', FORMS.find(([, t]) => t.includes('could not find version'))?.[1] ?? '')).toMatch(
    /does not serve "v1beta1"/,
  )
})

test('conflicts name the other managers and the fields', () => {
  expect(
    parseConflict(
      'Apply failed with 1 conflict: conflict with "kube-controller-manager" using apps/v1: .spec.replicas',
    ),
  ).toEqual({ managers: ['kube-controller-manager'], fields: ['.spec.replicas'] })
  expect(
    parseConflict(
      'Apply failed with 3 conflicts: conflicts with "helm" using apps/v1:\n- .spec.replicas\n- .spec.template.spec.containers[name="till"].image\nconflicts with "kubectl-edit":\n- .spec.replicas',
    ),
  ).toEqual({
    managers: ['helm', 'kubectl-edit'],
    fields: ['.spec.replicas', '.spec.template.spec.containers[name="till"].image'],
  })
  expect(parseConflict('no conflict at all')).toBeUndefined()
})

test('parts of a message', () => {
  expect(missingNamespace('namespaces "kiosk-system" not found')).toBe('kiosk-system')
  expect(refusedObject('Deployment.apps "till" is invalid: spec.selector')).toBe('Deployment.apps "till"')
  expect(admissionName('admission webhook "validate.kyverno.svc-fail" denied the request')).toBe(
    'validate.kyverno.svc-fail',
  )
  expect(admissionName('failed calling webhook "mutate.x": no endpoints')).toBe('mutate.x')
  expect(admissionName('violates PodSecurity "restricted:latest"')).toBe('PodSecurity')
  expect(quotaName('exceeded quota: team, requested: cpu=2')).toBe('team')
  expect(missingRevision("unable to resolve 'release-9' to a commit SHA")).toBe('release-9')
  expect(waitedHook('waiting for completion of hook batch/Job/schema-migrate')).toEqual({
    group: 'batch',
    kind: 'Job',
    name: 'schema-migrate',
  })
  expect(
    shortMessage(
      'Failed last sync attempt to [87a11a]: one or more objects failed to apply, reason: namespaces "kiosk-system" not found (retried 1 times).',
    ),
  ).toBe('namespaces "kiosk-system" not found (retried 1 times)')
  expect(
    shortMessage(
      'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = failed to list refs: authentication required: ',
    ),
  ).toBe('failed to list refs: authentication required:')
})

test('no text of a failing Application in the recorded fleets is of unknown form', async () => {
  const unknown = new Set<string>()
  for (const name of FLEET_NAMES) {
    const { fleet } = await loadFleet(await openPath(join(FLEETS, `${name}.tgz`)), new Set(['Application']))
    for (const view of [fleet.hub, ...fleet.spokes.values()]) {
      for (const app of view.of('Application').all) {
        const texts = app.conditions
          .filter(c => c.type !== 'SharedResourceWarning' && c.type !== 'AdditionalStatusReport')
          .map(c => c.message)
        if (app.operation !== undefined && ['Failed', 'Error'].includes(app.operation.phase)) {
          const own = [
            app.operation.message,
            ...app.operation.resources.filter(r => r.status === 'SyncFailed').map(r => r.message),
          ]
          // The summary may only count; then the reason stands with a resource.
          if (own.every(t => messageKind(t) === 'other')) texts.push(...own)
        }
        // Argo CD wraps the message of the last operation whatever it was; a success is no form of a failure.
        for (const text of texts)
          if (messageKind(text) === 'other' && text !== '' && !text.includes('successfully synced')) unknown.add(text)
      }
    }
  }
  expect([...unknown]).toEqual([])
})
