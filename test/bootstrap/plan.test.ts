import { describe, expect, it } from 'vitest'
import type { Model, Settings } from '../../src/bootstrap/settings.ts'
import { UsageError } from '../../src/errors.ts'
import { objectSteps, type Plan } from '../../src/plan/plan.ts'
import { merge } from '../../src/plan/values.ts'
import { isObject, type RawObject, valueAt } from '../../src/raw.ts'
import { hubBeforeBootstrap, hubObjects } from '../support/before-bootstrap.ts'
import { schemaErrors } from '../support/crd-schema.ts'
import { codes, GIT, manifestOf, planOn, readHub, recordedHub, sourceOf, stepOf } from '../support/hub.ts'

const bare = hubBeforeBootstrap('mixed-healthy')
const empty = await readHub(sourceOf(bare))
const emptyAgent = await readHub(sourceOf(hubBeforeBootstrap('agent-healthy')))
const mixed = await recordedHub('mixed-healthy')
const agents = await recordedHub('agent-healthy')
const upstream = await recordedHub('upstream-healthy')

const noHub = await readHub(sourceOf([], ['ManagedCluster']))

const DEMO: Settings = { ...GIT, set: 'demo', clusters: ['bm', 'sno'] }

/** A hub with some objects changed or added; `change` is laid over the object of the same kind and name. */
async function changed(objects: readonly RawObject[], changes: readonly RawObject[]) {
  const keyOf = (o: RawObject) =>
    [o.kind, valueAt(o, 'metadata', 'namespace') ?? '', valueAt(o, 'metadata', 'name')].join('/')
  const byKey = new Map(objects.map(o => [keyOf(o), o]))
  for (const change of changes) {
    const merged = merge(byKey.get(keyOf(change)) ?? {}, change)
    if (isObject(merged)) byKey.set(keyOf(change), merged)
  }
  return readHub(sourceOf([...byKey.values()]))
}

/** The recorded hub for agents, without the Subscription that tells its operator. */
const untold = hubBeforeBootstrap('agent-healthy').filter(o => o.kind !== 'Subscription')

/** Objects inside policies, too. */
function everyObject(plan: Plan): RawObject[] {
  return objectSteps(plan).flatMap(({ manifest }) => {
    const templates = valueAt(manifest, 'spec', 'policy-templates')
    const inner = (Array.isArray(templates) ? templates : []).map(t => valueAt(t, 'objectDefinition'))
    return [manifest, ...inner.filter(isObject)]
  })
}

const kinds = (plan: Plan): string[] =>
  plan.steps.map(step => (step.type === 'wait' ? `wait ${step.signal.signal}` : step.subject.kind))

describe('from an empty hub', () => {
  const all: readonly (readonly [Model, Settings])[] = [
    ['push', DEMO],
    ['push', { ...DEMO, serviceAccount: 'deployer', grantNamespaces: ['shop'], project: 'retail' }],
    ['pull', DEMO],
    ['pull', { ...DEMO, spokeGitops: 'addon', managedNamespaces: ['shop'], channel: 'gitops-1.22' }],
    ['pull', { ...DEMO, policyNamespace: 'acm-policies', blankSecrets: true, destNamespace: 'shop', onLeave: 'keep' }],
    ['agent', DEMO],
    ['agent', { ...DEMO, setup: 'hybrid', spokeRights: 'none' }],
  ]

  it.each(all)('%s %o makes only objects that the real definitions take', async (model, settings) => {
    const plan = await planOn(model === 'agent' ? emptyAgent : empty, model, settings)
    const known = everyObject(plan).filter(o => o.apiVersion !== 'v1')
    expect(known.flatMap(o => schemaErrors(o))).toEqual([])
    expect(plan.gates.filter(gate => gate.flag === '')).toEqual([])
    expect(plan.preview.placements[0]?.selected).toEqual(['bm', 'sno'])
    expect(plan.preview.applications.made.map(app => app.cluster)).toEqual(['bm', 'sno'])
  })

  it('puts rights before registration and registration before the first Application', async () => {
    expect(kinds(await planOn(empty, 'pull', DEMO))).toEqual([
      'ManagedClusterSet',
      'ManagedCluster',
      'ManagedCluster',
      'ManagedClusterSetBinding',
      'Placement',
      'wait decided',
      'Policy',
      'PlacementBinding',
      'wait compliant',
      'GitOpsCluster',
      'wait registered',
      'ApplicationSet',
      'wait synced',
    ])
    const settings = { ...DEMO, serviceAccount: 'deployer', grantNamespaces: ['shop'] }
    expect(kinds(await planOn(empty, 'push', settings)).slice(6)).toEqual([
      'ManagedServiceAccount',
      'ClusterPermission',
      'wait condition',
      'ManagedServiceAccount',
      'ClusterPermission',
      'wait condition',
      'GitOpsCluster',
      'wait registered',
      'ApplicationSet',
      'wait synced',
    ])
    const agent = kinds(await planOn(emptyAgent, 'agent', DEMO))
    expect(agent.indexOf('ArgoCD')).toBeGreaterThan(agent.indexOf('wait compliant'))
    expect(agent.indexOf('GitOpsCluster')).toBeGreaterThan(agent.indexOf('ArgoCD'))
  })

  it('enables the add-on that makes service accounts where it is missing, and nowhere else', async () => {
    const hub = await readHub(
      sourceOf(
        bare.filter(
          o =>
            o.kind !== 'ManagedClusterAddOn' ||
            valueAt(o, 'metadata', 'name') !== 'managed-serviceaccount' ||
            valueAt(o, 'metadata', 'namespace') !== 'sno',
        ),
      ),
    )
    const plan = await planOn(hub, 'push', { ...DEMO, serviceAccount: 'deployer', preset: 'read-only' })
    const addOns = objectSteps(plan).filter(step => step.subject.kind === 'ManagedClusterAddOn')
    expect(addOns.map(step => step.subject.namespace)).toEqual(['sno'])
  })

  it('writes the version of a kind that the hub serves, the newer one where it serves both', async () => {
    const serving = (...versions: string[]) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'managedserviceaccounts.authentication.open-cluster-management.io' },
      spec: {
        group: 'authentication.open-cluster-management.io',
        names: { kind: 'ManagedServiceAccount', plural: 'managedserviceaccounts' },
        versions: versions.map(name => ({ name, served: true })),
      },
    })
    const versionOn = async (...versions: string[]) => {
      const hub = await changed(bare, [serving(...versions)])
      const plan = await planOn(hub, 'push', { ...DEMO, serviceAccount: 'd', preset: 'read-only' })
      return manifestOf(plan, 'ManagedServiceAccount', 'd', 'bm').apiVersion
    }
    const group = 'authentication.open-cluster-management.io'
    expect(await versionOn('v1alpha1')).toBe(`${group}/v1alpha1`)
    expect(await versionOn('v1alpha1', 'v1beta1')).toBe(`${group}/v1beta1`)
  })

  it('does not read Secrets of the whole cluster unless told to, and says so', async () => {
    const narrow = await planOn(empty, 'push', { ...DEMO, serviceAccount: 'd', grantNamespaces: ['shop'] })
    const rules = JSON.stringify(manifestOf(narrow, 'ClusterPermission', 'd', 'bm').spec)
    expect(rules).not.toContain('secrets')
    expect(rules).not.toContain('"resources":["*"],"verbs":["*"]')
    expect(stepOf(narrow, 'ClusterPermission', 'd', 'bm').why).toContain('Secrets not')
    expect(codes(narrow.notes)).toContain('narrow-rights')
    const wide = await planOn(empty, 'push', {
      ...DEMO,
      serviceAccount: 'd',
      grantNamespaces: ['shop'],
      readSecrets: true,
    })
    expect(stepOf(wide, 'ClusterPermission', 'd', 'bm').risk.level).toBe('high')
  })
})

describe('on a hub that has something', () => {
  it('moves a cluster out of its set only with what is lost by that accepted by name', async () => {
    const plan = await planOn(mixed, 'pull', DEMO)
    expect(codes(plan.gates)).toEqual(['lost-applications', 'move-clusters'])
    // Both ApplicationSets of the recording use the Placement over set production; expected.yaml names the four Applications.
    expect(plan.preview.applications.lost.map(app => app.name).sort()).toEqual([
      'branding-bm',
      'branding-sno',
      'compliance-operator-bm',
      'compliance-operator-sno',
    ])
    // compliance-operator has preserveResourcesOnDeletion, branding-pull has not.
    const effect = (name: string) => plan.preview.applications.lost.find(app => app.name === name)?.effect
    expect(effect('compliance-operator-bm')).toContain('stay')
    expect(effect('branding-bm')).toContain('pruned')
    expect(plan.gates.every(gate => !gate.accepted)).toBe(true)
    const accepted = await planOn(mixed, 'pull', DEMO, { accepted: ['lost-applications', 'move-clusters'] })
    expect(accepted.gates.every(gate => gate.accepted)).toBe(true)
  })

  it('uses set, Placement and GitOpsCluster that are there, and leaves their predicates alone', async () => {
    const plan = await planOn(mixed, 'pull', { ...GIT, set: 'production', clusters: ['bm', 'sno'], appset: 'shop' })
    const changes = objectSteps(plan).map(step => [step.subject.kind, step.subject.name, step.action])
    expect(changes).toEqual([
      ['ManagedClusterSet', 'production', 'unchanged'],
      ['ManagedCluster', 'bm', 'unchanged'],
      ['ManagedCluster', 'sno', 'unchanged'],
      ['ManagedClusterSetBinding', 'production', 'unchanged'],
      ['Placement', 'production-clusters', 'unchanged'],
      ['Policy', 'production-spoke-gitops', 'create'],
      ['PlacementBinding', 'production-spoke-gitops', 'create'],
      ['GitOpsCluster', 'gitops-production', 'unchanged'],
      ['ApplicationSet', 'shop', 'create'],
    ])
    expect(plan.gates).toEqual([])
  })

  it('finds the set of the clusters by itself', async () => {
    const plan = await planOn(mixed, 'push', { ...GIT, clusters: ['bm', 'sno'] })
    expect(stepOf(plan, 'Placement', 'production-clusters').action).toBe('unchanged')
  })

  it('names the Applications for which the add-on ends push', async () => {
    const settings: Settings = { ...GIT, placement: 'production-clusters', spokeGitops: 'addon', appset: 'shop' }
    const plan = await planOn(mixed, 'pull', settings)
    const gate = plan.gates.find(g => g.code === 'push-off')
    expect(gate?.details.map(line => line.split(' ')[0])).toEqual([
      'openshift-gitops/compliance-operator-bm',
      'openshift-gitops/compliance-operator-sno',
    ])
    expect(codes((await planOn(mixed, 'pull', { ...settings, spokeGitops: 'policy' })).gates)).toEqual([])
  })

  it('refuses two GitOpsClusters that register the same clusters differently', async () => {
    const settings: Settings = { ...GIT, placement: 'production-clusters', gitopscluster: 'second', appset: 'shop' }
    const blank = await planOn(mixed, 'pull', { ...settings, blankSecrets: true })
    const gate = blank.gates.find(g => g.code === 'registration-collision')
    expect(gate).toMatchObject({ flag: '', accepted: false })
    expect(gate?.details[0]).toContain('gitops-production writes credentials')
    // What registers differently is not also said to register in the same way.
    expect(codes(blank.notes)).not.toContain('registered-twice')
    expect(stepOf(blank, 'GitOpsCluster', 'second').why).toContain('without credentials')
    const same = await planOn(mixed, 'push', settings)
    expect(codes(same.gates)).not.toContain('registration-collision')
    expect(codes(same.notes)).toContain('registered-twice')
  })

  it('names what freezes when the controller goes, and not with the hybrid set-up', async () => {
    // The recorded mixed fleet has no ArgoCD resource; one is added so that the operator is there to switch.
    const argo = {
      apiVersion: 'argoproj.io/v1beta1',
      kind: 'ArgoCD',
      metadata: { name: 'openshift-gitops', namespace: 'openshift-gitops', uid: 'x' },
      spec: {},
    }
    const hub = await readHub(sourceOf([...hubObjects('mixed-healthy'), argo]))
    const plan = await planOn(hub, 'agent', { ...GIT, placement: 'production-clusters', appset: 'shop' })
    expect(plan.gates.find(g => g.code === 'frozen-applications')?.details).toEqual([
      'openshift-gitops/compliance-operator-bm (push to bm)',
      'openshift-gitops/compliance-operator-sno (push to sno)',
    ])
    expect(codes(plan.gates)).toContain('pull-beside-agent')
    const hybrid = await planOn(hub, 'agent', {
      ...GIT,
      placement: 'production-clusters',
      appset: 'shop',
      setup: 'hybrid',
    })
    expect(codes(hybrid.gates)).not.toContain('frozen-applications')
  })

  it('tells the operator about an Argo CD elsewhere, beside what it is told already', async () => {
    const ARGO = 'argocd-agents'
    const argo = {
      apiVersion: 'argoproj.io/v1beta1',
      kind: 'ArgoCD',
      metadata: { name: 'agents', namespace: ARGO },
      spec: {},
    }
    const subscription = (env: readonly RawObject[]) => ({
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'Subscription',
      metadata: { name: 'gitops', namespace: 'openshift-operators' },
      spec: { name: 'openshift-gitops-operator', ...(env.length === 0 ? {} : { config: { env } }) },
    })
    const variable = { name: 'ARGOCD_CLUSTER_CONFIG_NAMESPACES', value: 'openshift-gitops, other' }
    const envFor = async (env: readonly RawObject[], namespace = ARGO) => {
      const hub = await changed(untold, [argo, subscription(env)])
      const plan = await planOn(hub, 'agent', { ...DEMO, namespace, setup: 'hybrid' })
      const step = objectSteps(plan).find(s => s.subject.kind === 'Subscription')
      return step === undefined ? undefined : [step.action, valueAt(step.manifest, 'spec', 'config', 'env')]
    }
    // Not set: the operator's own value, which a value of the Subscription replaces, is said again.
    expect(await envFor([])).toEqual(['configure', [{ name: variable.name, value: 'openshift-gitops,argocd-agents' }]])
    const proxy = { name: 'HTTPS_PROXY', valueFrom: { secretKeyRef: { name: 'proxy', key: 'url' } } }
    expect(await envFor([variable, proxy])).toEqual([
      'configure',
      [{ ...variable, value: 'openshift-gitops,other,argocd-agents' }, proxy],
    ])
    expect(await envFor([{ ...variable, value: '*' }])).toBeUndefined()
    expect(await envFor([{ ...variable, value: 'x, argocd-agents' }])).toBeUndefined()
    expect(await envFor([], 'openshift-gitops')).toBeUndefined()
  })

  it('says what to see to by hand where no Subscription tells the operator', async () => {
    const argo = {
      apiVersion: 'argoproj.io/v1beta1',
      kind: 'ArgoCD',
      metadata: { name: 'a', namespace: 'a' },
      spec: {},
    }
    const hub = await changed(untold, [argo])
    const notes = async (namespace: string) => codes((await planOn(hub, 'agent', { ...DEMO, namespace })).notes)
    expect(await notes('a')).toContain('cluster-config')
    expect(await notes('openshift-gitops')).not.toContain('cluster-config')
  })

  it('changes nothing of a principal that is there', async () => {
    const plan = await planOn(agents, 'agent', { ...GIT, placement: 'production-clusters', appset: 'shop' })
    expect(stepOf(plan, 'ArgoCD', 'openshift-gitops').action).toBe('unchanged')
    expect(stepOf(plan, 'GitOpsCluster', 'gitops-agent-clusters').action).toBe('unchanged')
  })

  it('says that a hub without a controller cannot push', async () => {
    const plan = await planOn(agents, 'push', { ...GIT, placement: 'production-clusters', gitopscluster: 'p' })
    expect(plan.gates.find(g => g.code === 'controller-off')).toMatchObject({ flag: '' })
  })

  it('says who keeps an object in Git', async () => {
    const hub = await changed(bare, [
      {
        apiVersion: 'cluster.open-cluster-management.io/v1beta2',
        kind: 'ManagedClusterSet',
        metadata: { name: 'demo' },
        spec: { clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } },
      },
      {
        apiVersion: 'cluster.open-cluster-management.io/v1beta1',
        kind: 'Placement',
        metadata: {
          name: 'demo-clusters',
          namespace: 'openshift-gitops',
          annotations: {
            'argocd.argoproj.io/tracking-id': 'platform:cluster.open-cluster-management.io/Placement:x/y',
          },
        },
        spec: { clusterSets: ['demo'] },
      },
    ])
    const plan = await planOn(hub, 'push', DEMO)
    expect(stepOf(plan, 'Placement', 'demo-clusters')).toMatchObject({
      action: 'configure',
      owner: { by: 'argocd', text: 'Argo CD Application "platform"' },
    })
    expect(plan.gates.find(g => g.code === 'gitops-owned')?.details).toEqual([
      'openshift-gitops/Placement/demo-clusters: Argo CD Application "platform"',
    ])
  })

  it('knows what a Policy keeps on the hub, though the object does not tell', async () => {
    // What the hub's replica of the policy holds that a GitOpsCluster with createPolicyTemplate makes (push-pull.md 1.6).
    const account = {
      apiVersion: 'authentication.open-cluster-management.io/v1beta1',
      kind: 'ManagedServiceAccount',
      metadata: { name: 'deployer', namespace: 'bm' },
      spec: { rotation: {} },
    }
    const replica = (spec: RawObject) => ({
      apiVersion: 'policy.open-cluster-management.io/v1',
      kind: 'Policy',
      metadata: { name: 'openshift-gitops.g-policy', namespace: 'local-cluster' },
      spec: {
        disabled: false,
        remediationAction: 'enforce',
        'policy-templates': [
          {
            objectDefinition: {
              spec: { 'object-templates': [{ complianceType: 'musthave', objectDefinition: account }] },
            },
          },
        ],
        ...spec,
      },
    })
    const settings: Settings = { ...DEMO, serviceAccount: 'deployer', preset: 'read-only' }
    const ownerIn = async (spec: RawObject) => {
      const plan = await planOn(await changed(bare, [account, replica(spec)]), 'push', settings)
      const step = stepOf(plan, 'ManagedServiceAccount', 'deployer', 'bm')
      return [step.action, step.owner?.text, codes(plan.gates).includes('gitops-owned')]
    }
    expect(await ownerIn({})).toEqual(['configure', 'Policy "openshift-gitops/g-policy"', true])
    expect(await ownerIn({ remediationAction: 'inform' })).toEqual(['configure', undefined, false])
    expect(await ownerIn({ disabled: true })).toEqual(['configure', undefined, false])
  })

  it('sees names that are taken, folders that are delivered already, and a project that refuses', async () => {
    // Of the recorded fleet: compliance-operator-bm of ApplicationSet compliance-operator.
    const base: Settings = {
      placement: 'production-clusters',
      appset: 'second',
      repoUrl: 'http://git.example.test:18080/fleet-config.git',
      path: 'x/{{name}}',
    }
    const taken = await planOn(mixed, 'push', { ...base, appName: 'compliance-operator-{{name}}' })
    expect(taken.gates.find(g => g.code === 'name-taken')).toMatchObject({
      flag: '',
      details: [
        'openshift-gitops/compliance-operator-bm of ApplicationSet compliance-operator',
        'openshift-gitops/compliance-operator-sno of ApplicationSet compliance-operator',
      ],
    })
    const twice = await planOn(mixed, 'push', { ...base, path: 'clusters/{{name}}/branding' })
    expect(twice.notes.find(n => n.code === 'delivered-twice')?.text).toContain(
      'branding-bm on bm and branding-sno on sno',
    )
    const hub = await changed(hubObjects('mixed-healthy'), [
      {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'AppProject',
        metadata: { name: 'default', namespace: 'openshift-gitops' },
        spec: { sourceRepos: ['https://other.example.test/*'] },
      },
    ])
    expect(codes((await planOn(hub, 'push', base)).notes)).toContain('project-refuses')
  })

  it('takes over an Application without an owner only when that is accepted', async () => {
    const orphan = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'second-bm', namespace: 'openshift-gitops', uid: 'x' },
      spec: { project: 'default', destination: { name: 'bm' }, source: { repoURL: 'https://x.test/y', path: 'z' } },
    }
    const hub = await readHub(sourceOf([...hubObjects('mixed-healthy'), orphan]))
    const plan = await planOn(hub, 'push', { ...GIT, placement: 'production-clusters', appset: 'second' })
    expect(plan.gates.find(g => g.code === 'name-taken')).toMatchObject({ flag: '--accept name-taken' })
  })

  it('never carries an Application to the hub itself', async () => {
    const hub = await changed(hubObjects('mixed-healthy'), [
      {
        apiVersion: 'cluster.open-cluster-management.io/v1',
        kind: 'ManagedCluster',
        metadata: {
          name: 'local-cluster',
          labels: { 'cluster.open-cluster-management.io/clusterset': 'production', vendor: 'OpenShift' },
        },
      },
    ])
    const plan = await planOn(hub, 'pull', { ...GIT, placement: 'production-clusters', appset: 'second' })
    expect(plan.gates.find(g => g.code === 'hub-selected')).toMatchObject({ flag: '' })
  })

  it('takes the cluster that never joined for what it is', async () => {
    const hub = await changed(bare, [
      {
        apiVersion: 'cluster.open-cluster-management.io/v1',
        kind: 'ManagedCluster',
        metadata: { name: 'sno' },
        spec: { hubAcceptsClient: false },
        status: { conditions: [] },
      },
    ])
    expect(codes((await planOn(hub, 'push', DEMO)).notes)).toContain('not-joined')
  })
})

describe('upstream', () => {
  const settings: Settings = { ...GIT, placement: 'edge', appset: 'shop' }

  it('sets up pull by the secrets, ConfigMap and namespace that are there', async () => {
    const plan = await planOn(upstream, 'pull', settings)
    expect(objectSteps(plan).map(step => step.subject.kind)).toEqual(['ApplicationSet'])
    const spec = JSON.stringify(manifestOf(plan, 'ApplicationSet', 'shop').spec)
    expect(spec).toContain('"configMapRef":"ocm-placement-generator"')
    expect(spec).toContain('"apps.open-cluster-management.io/ocm-managed-cluster-app-namespace":"argocd"')
  })

  it('pushes by secrets that have credentials, and names those that have none', async () => {
    const plan = await planOn(upstream, 'push', settings)
    expect(objectSteps(plan).map(step => step.subject.kind)).toEqual(['ApplicationSet'])
    expect(plan.gates).toMatchObject([
      {
        code: 'no-credentials',
        flag: '',
        // The recorded secrets of the pull controller: a name and a placeholder.
        details: [
          'bm: Secret argocd/bm-secret has no config, and https://bm-control-plane:6443 may be no address',
          'sno: Secret argocd/sno-secret has no config, and https://sno-control-plane:6443 may be no address',
        ],
      },
    ])
    const config = Buffer.from('{}').toString('base64')
    const completed = ['bm', 'sno'].map(cluster => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `${cluster}-secret`, namespace: 'argocd' },
      data: { config },
    }))
    const hub = await changed(hubObjects('upstream-healthy'), completed)
    expect(codes((await planOn(hub, 'push', settings)).gates)).toEqual([])
  })

  it('makes the GitOpsCluster that is for agents there, where a principal runs', async () => {
    const without = await planOn(upstream, 'agent', settings)
    // The recorded fleet pulls to the same clusters.
    expect(codes(without.gates)).toEqual(['pull-beside-agent', 'no-principal'])
    expect(codes(without.notes)).toContain('same-name')
    const principal = {
      apiVersion: 'argoproj.io/v1beta1',
      kind: 'ArgoCD',
      metadata: { name: 'argocd', namespace: 'argocd' },
      spec: { argoCDAgent: { principal: { enabled: true } } },
    }
    const hub = await changed(hubObjects('upstream-healthy'), [principal])
    const plan = await planOn(hub, 'agent', settings)
    expect(codes(plan.gates)).toEqual(['pull-beside-agent'])
    expect(kinds(plan)).toEqual(['wait decided', 'GitOpsCluster', 'wait condition', 'ApplicationSet', 'wait synced'])
    expect(objectSteps(plan).flatMap(step => schemaErrors(step.manifest))).toEqual([])
    expect(manifestOf(plan, 'GitOpsCluster', 'gitops-edge')).toMatchObject({
      apiVersion: 'apps.open-cluster-management.io/v1alpha1',
      spec: { placementRef: { name: 'edge' }, argoCDAgentAddon: { mode: 'managed' } },
    })
    expect(JSON.stringify(manifestOf(plan, 'ApplicationSet', 'shop').spec)).toContain(
      '"destination":{"name":"{{name}}"',
    )
  })

  it('has no use for a GitOpsCluster beside agents, nor for what only ACM has', async () => {
    await expect(planOn(upstream, 'pull', settings, { parts: ['gitopscluster'] })).rejects.toThrow(
      /makes a cluster secret for every managed cluster by itself/,
    )
    await expect(planOn(upstream, 'agent', { ...settings, setup: 'hybrid' })).rejects.toThrow(/--setup is for ACM/)
    const plain = await readHub(
      sourceOf(
        hubObjects('upstream-healthy').filter(o => o.kind !== 'CustomResourceDefinition'),
        ['GitOpsCluster'],
      ),
    )
    await expect(planOn(plain, 'agent', settings)).rejects.toThrow(/install the Helm chart ocm\/argocd-agent-addon/)
  })
})

describe('bad input is one line and no plan', () => {
  const cases: readonly (readonly [string, typeof mixed, Model, Settings, RegExp])[] = [
    ['a hub without clusters', noHub, 'pull', DEMO, /is no hub/],
    ['an unknown cluster', mixed, 'pull', { ...DEMO, clusters: ['bn'] }, /no managed cluster "bn"; did you mean "bm"/],
    [
      'several',
      mixed,
      'pull',
      { ...DEMO, clusters: ['bn', 'snoo'] },
      /no managed clusters "bn" and "snoo"; did you mean "bm" and "sno"\?/,
    ],
    [
      'unlike any',
      mixed,
      'pull',
      { ...DEMO, clusters: ['xyz', 'bn'] },
      /"xyz" and "bn"; the hub has bm, local-cluster and sno$/,
    ],
    ['no DNS label', mixed, 'pull', { ...DEMO, clusters: ['bm_1'] }, /must be a DNS label/],
    [
      'a selector that matches nothing',
      mixed,
      'pull',
      { ...GIT, set: 'x', selector: 'a=b' },
      /no managed cluster matches/,
    ],
    ['a bad selector', mixed, 'pull', { ...GIT, set: 'x', selector: 'a in b' }, /invalid selector/],
    ['no clusters', mixed, 'pull', { ...GIT, set: 'nope' }, /does not exist; choose clusters/],
    [
      'a set that is nearly there',
      mixed,
      'pull',
      { ...GIT, set: 'prodution' },
      /did you mean "production"\? Or choose clusters/,
    ],
    ['an empty set', mixed, 'pull', { ...GIT, set: 'default' }, /has no cluster/],
    ['a set by selector', mixed, 'pull', { ...DEMO, set: 'global' }, /by label selector/],
    [
      'a namespace without Argo CD',
      mixed,
      'pull',
      { ...DEMO, namespace: 'argocd' },
      /no Argo CD in namespace "argocd"/,
    ],
    ['no Placement', mixed, 'pull', { ...GIT, placement: 'nope' }, /no Placement "nope"/],
    ['nothing at all', mixed, 'pull', GIT, /nothing says which clusters/],
    ['no repository', mixed, 'pull', { set: 'demo', clusters: ['bm'] }, /--repo-url and --path/],
    ['a password in the address', mixed, 'pull', { ...DEMO, repoUrl: 'https://u:p@git.test/x' }, /holds a password/],
    ['no address', mixed, 'pull', { ...DEMO, repoUrl: 'fleet' }, /no address of a Git repository/],
    ['an unknown template field', mixed, 'pull', { ...DEMO, path: 'apps/{{cluster}}' }, /nothing fills in/],
    ['mixed templates', mixed, 'pull', { ...DEMO, appName: 'x-{{.name}}' }, /mixes/],
    ['one name for all', mixed, 'pull', { ...DEMO, appName: 'shop' }, /same for every cluster/],
    [
      'a predicate that matches nothing',
      mixed,
      'pull',
      { ...DEMO, predicate: ['vendor=Other'] },
      /would select no cluster/,
    ],
    [
      'a CEL expression that does not compile',
      mixed,
      'pull',
      { ...DEMO, cel: ['managedCluster.('] },
      /^Placement "demo-clusters" would be wrong: .*compilation failed/,
    ],
    [
      'the hub alone',
      mixed,
      'pull',
      { ...DEMO, clusters: ['local-cluster'] },
      /would select no cluster \(local-cluster: label local-cluster is "true"/,
    ],
    ['no cluster wanted', mixed, 'pull', { ...DEMO, numberOfClusters: 0 }, /at least 1/],
    [
      'rights of no account',
      mixed,
      'push',
      { ...DEMO, grantNamespaces: ['a'] },
      /--grant-namespaces .* add --service-account/,
    ],
    ['a preset of no account', mixed, 'push', { ...DEMO, preset: 'read-only' }, /--preset .* add --service-account/],
    [
      'an account where clusters pull',
      mixed,
      'pull',
      { ...DEMO, serviceAccount: 'd' },
      /--service-account is for push/,
    ],
    ['a service account without rights', mixed, 'push', { ...DEMO, serviceAccount: 'd' }, /where .* may write/],
    [
      'a set of which the Placement has too long a name',
      mixed,
      'push',
      { ...DEMO, set: 'x'.repeat(60) },
      /as a label \(at most 63\)/,
    ],
    [
      'an account of no valid name',
      mixed,
      'push',
      { ...DEMO, serviceAccount: 'Bad_Name', grantNamespaces: ['a'] },
      /invalid name "Bad_Name" for --service-account/,
    ],
    [
      'a grant in no namespace',
      mixed,
      'push',
      { ...DEMO, serviceAccount: 'd', grantNamespaces: ['Bad'] },
      /invalid namespace "Bad" for --grant-namespaces/,
    ],
    ['a path from the root', mixed, 'push', { ...DEMO, path: '/apps/{{name}}' }, /without a leading/],
    ['a path out of the repository', mixed, 'push', { ...DEMO, path: 'apps/../../{{name}}' }, /without "\.\."/],
    ['no pause', mixed, 'push', { ...DEMO, requeueSeconds: 0 }, /at least 1/],
    ['too long a name', mixed, 'pull', { ...DEMO, appName: `${'x'.repeat(190)}-{{name}}` }, /too long a name/],
    ['a report that cannot be labelled', mixed, 'pull', { ...DEMO, appset: `${'a'.repeat(45)}-b` }, /could not label/],
    [
      'an Argo CD of ours in a namespace where none is made',
      mixed,
      'pull',
      { ...DEMO, spokeNamespace: 'argocd' },
      /for an Argo CD that runs there already \(--spoke-gitops none\)/,
    ],
    ['an add-on upstream', upstream, 'pull', { ...GIT, placement: 'edge', spokeGitops: 'addon' }, /belongs to ACM/],
  ]
  it.each(cases)('%s', async (_, hub, model, settings, message) => {
    const error = await planOn(hub, model, settings).then(
      () => undefined,
      (e: unknown) => e,
    )
    expect(error).toBeInstanceOf(UsageError)
    expect(error instanceof Error ? error.message : '').toMatch(message)
    expect(error instanceof Error ? error.message : '\n').not.toContain('\n')
  })
})
