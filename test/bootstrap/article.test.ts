import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import type { Model, Settings } from '../../src/bootstrap/settings.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { isObject, type RawObject, valueAt } from '../../src/raw.ts'
import { hubBeforeBootstrap } from '../support/before-bootstrap.ts'
import { manifestOf, planOn, readHub, sourceOf, stepOf, type TestHub } from '../support/hub.ts'

/** The YAML blocks of the article "push, pull and the Argo CD Agent", word for word, without the numbers of its notes. */
function article(name: string): readonly unknown[] {
  const text = readFileSync(new URL(`fixtures/article/${name}.yaml`, import.meta.url), 'utf8')
  return parseAllDocuments(text).map(document => document.toJS())
}

const REPO = 'https://github.com/tjungbauer/openshift-clusterconfig-gitops.git'
const LAB: Settings = {
  set: 'production',
  clusters: ['bm', 'sno'],
  placement: 'production-clusters',
  predicate: ['vendor=OpenShift'],
  repoUrl: REPO,
  revision: 'main',
}

const hub = await readHub(sourceOf(hubBeforeBootstrap('mixed-healthy')))
const agentHub = await readHub(sourceOf(hubBeforeBootstrap('agent-healthy')))

const lab = (on: TestHub, model: Model, settings: Settings): Promise<Plan> => planOn(on, model, { ...LAB, ...settings })

const push = await lab(hub, 'push', {
  gitopscluster: 'gitops-production',
  appset: 'compliance-operator',
  path: 'clusters/{{name}}/setup-compliance-operator',
})
const pull = await lab(hub, 'pull', {
  gitopscluster: 'gitops-production',
  appset: 'branding-pull',
  appName: 'branding-{{name}}',
  path: 'clusters/{{name}}/branding',
  policyNamespace: 'acm-policies',
  channel: 'gitops-1.22',
})
const addon = await lab(hub, 'pull', {
  gitopscluster: 'gitops-production',
  path: 'clusters/{{name}}/branding',
  spokeGitops: 'addon',
})
const deployer = await lab(hub, 'push', {
  gitopscluster: 'gitops-team-shop',
  path: 'shop/{{name}}',
  serviceAccount: 'argocd-deployer',
  grantNamespaces: ['shop'],
  rules: [
    {
      apiGroups: ['apps'],
      resources: ['deployments'],
      verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
    },
    {
      apiGroups: [''],
      resources: ['services', 'configmaps'],
      verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
    },
  ],
  readSecrets: true,
})
const agent = await lab(agentHub, 'agent', {
  gitopscluster: 'gitops-agent-clusters',
  appset: 'branding-bottom-agent',
  appName: 'branding-bottom-{{name}}',
  path: 'clusters/{{name}}/branding-bottom',
})

/** Differences of two values: `-` only in the article, `+` only in ours, `~` other. A list is one value. */
function differences(theirs: unknown, ours: unknown, path = ''): string[] {
  if (isObject(theirs) && isObject(ours)) {
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].sort()
    return keys.flatMap(key => differences(theirs[key], ours[key], `${path}.${key}`))
  }
  if (JSON.stringify(sorted(theirs)) === JSON.stringify(sorted(ours))) return []
  if (ours === undefined) return [`-${path}`]
  return [`${theirs === undefined ? '+' : '~'}${path}`]
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(key => [key, sorted(value[key])]),
  )
}

/** Template of a policy by the kind of object that it carries. */
function template(plan: Plan, policy: string, kind: string, name: string): RawObject {
  const templates = valueAt(manifestOf(plan, 'Policy', policy), 'spec', 'policy-templates')
  const all = (Array.isArray(templates) ? templates : []).map(t => valueAt(t, 'objectDefinition'))
  const found = all.find(o => valueAt(o, 'kind') === kind && valueAt(o, 'metadata', 'name') === name)
  if (!isObject(found)) throw new Error(`no template ${kind} ${name}`)
  return found
}

const objectTemplates = (policy: RawObject): unknown => valueAt(policy, 'spec', 'object-templates')

/** Every block with what the tool makes in its place, and each difference; the list is docs/bootstrap-differences.md. */
const BLOCKS: readonly (readonly [block: string, index: number, ours: unknown, differences: readonly string[]])[] = [
  ['clusterset', 0, manifestOf(push, 'ManagedClusterSet', 'production'), []],
  ['binding', 0, manifestOf(push, 'ManagedClusterSetBinding', 'production'), []],
  ['placement', 0, manifestOf(push, 'Placement', 'production-clusters'), ['~.spec.predicates']],
  ['push-gitopscluster', 0, manifestOf(push, 'GitOpsCluster', 'gitops-production'), ['-.spec.argoServer.cluster']],
  [
    'push-applicationset',
    0,
    manifestOf(push, 'ApplicationSet', 'compliance-operator'),
    [
      '+.spec.template.spec.destination.name',
      '-.spec.template.spec.destination.server',
      '+.spec.template.spec.syncPolicy.retry',
    ],
  ],
  [
    'service-account',
    0,
    manifestOf(deployer, 'ManagedServiceAccount', 'argocd-deployer', 'sno'),
    ['~.apiVersion', '+.spec.rotation.enabled', '+.spec.rotation.validity'],
  ],
  ['service-account', 1, manifestOf(deployer, 'ClusterPermission', 'argocd-deployer', 'sno'), []],
  [
    'service-account-gitopscluster',
    0,
    manifestOf(deployer, 'GitOpsCluster', 'gitops-team-shop'),
    ['-.spec.argoServer.cluster'],
  ],
  [
    'addon-gitopscluster',
    0,
    manifestOf(addon, 'GitOpsCluster', 'gitops-production'),
    ['-.spec.gitopsAddon.overrideExistingConfigs', '-.spec.placementRef.namespace'],
  ],
  [
    'pull-applicationset',
    0,
    manifestOf(pull, 'ApplicationSet', 'branding-pull'),
    ['+.spec.template.spec.syncPolicy.retry'],
  ],
  [
    'agent-argocd',
    0,
    manifestOf(agent, 'ArgoCD', 'openshift-gitops'),
    ['~.spec.argoCDAgent.principal.namespace.allowedNamespaces', '-.spec.sourceNamespaces'],
  ],
  [
    'agent-gitopscluster',
    0,
    manifestOf(agent, 'GitOpsCluster', 'gitops-agent-clusters'),
    ['-.spec.placementRef.namespace'],
  ],
  [
    'agent-applicationset',
    0,
    manifestOf(agent, 'ApplicationSet', 'branding-bottom-agent'),
    ['+.spec.template.spec.syncPolicy.retry'],
  ],
]

describe("the article's YAML", () => {
  it.each(BLOCKS)('%s %i is made, but for the differences that are explained', (block, index, ours, expected) => {
    expect(differences(article(block)[index], ours)).toEqual(expected)
  })

  it('differs only as docs/bootstrap-differences.md explains', () => {
    const text = readFileSync(new URL('../../docs/bootstrap-differences.md', import.meta.url), 'utf8')
    for (const difference of new Set(BLOCKS.flatMap(([, , , list]) => list.map(path => path.slice(1))))) {
      expect(text, difference).toContain(`\`${difference.slice(1)}\``)
    }
  })

  it('has the predicate of the article in the Placement, and leaves out the hub', () => {
    const [theirs] = article('placement')
    const selector = (p: unknown): unknown =>
      valueAt(
        (valueAt(p, 'spec', 'predicates') as unknown[])[0],
        'requiredClusterSelector',
        'labelSelector',
        'matchExpressions',
      )
    expect(selector(manifestOf(push, 'Placement', 'production-clusters'))).toEqual([
      ...(selector(theirs) as unknown[]),
      { key: 'local-cluster', operator: 'NotIn', values: ['true'] },
    ])
  })

  it('labels the clusters into the set', () => {
    for (const name of ['bm', 'sno']) {
      expect(stepOf(push, 'ManagedCluster', name).changes).toMatchObject([
        { change: 'add', path: '.metadata.labels["cluster.open-cluster-management.io/clusterset"]', to: 'production' },
      ])
    }
  })

  it('installs OpenShift GitOps by the same policy, enforced in so many words, with its Placement and binding', () => {
    const [policy] = article('spoke-policy')
    const templates = valueAt(policy, 'spec', 'policy-templates') as readonly unknown[]
    const [namespace, operator] = templates.map(t => valueAt(t, 'objectDefinition'))
    const name = 'production-spoke-gitops'
    const ours = manifestOf(pull, 'Policy', name)
    expect(ours.metadata).toEqual({ name, namespace: 'acm-policies' })
    expect(
      differences(namespace, template(pull, name, 'ConfigurationPolicy', 'openshift-gitops-operator-namespace')),
    ).toEqual(['+.spec.remediationAction'])
    expect(differences(operator, template(pull, name, 'OperatorPolicy', 'openshift-gitops-operator'))).toEqual([
      '+.spec.remediationAction',
    ])
    expect(manifestOf(pull, 'ManagedClusterSetBinding', 'production', 'acm-policies').spec).toEqual({
      clusterSet: 'production',
    })
    expect(manifestOf(pull, 'Placement', 'production-clusters', 'acm-policies').spec).toEqual(
      manifestOf(pull, 'Placement', 'production-clusters', 'openshift-gitops').spec,
    )
    expect(manifestOf(pull, 'PlacementBinding', name)).toMatchObject({
      metadata: { namespace: 'acm-policies' },
      placementRef: { name: 'production-clusters' },
      subjects: [{ kind: 'Policy', name }],
    })
  })

  it("gives the clusters' controllers the same rights, under names that say whose they are", () => {
    const [theirs] = article('spoke-rights')
    const [first] = theirs as readonly unknown[]
    const policy = valueAt(first, 'objectDefinition')
    const ours = template(pull, 'production-spoke-gitops', 'ConfigurationPolicy', 'openshift-gitops-controller-rbac')
    if (!isObject(policy)) throw new Error('no policy')
    const [their] = objectTemplates(policy) as readonly unknown[]
    const [our] = objectTemplates(ours) as readonly unknown[]
    expect(differences(their, our)).toEqual(['~.objectDefinition.metadata.name'])
  })

  it('gives agent and controller of the add-on the same rights, in a policy of their own', () => {
    const [theirs] = article('agent-rights')
    const ours = template(agent, 'production-spoke-rights', 'ConfigurationPolicy', 'openshift-gitops-controller-rbac')
    const pairs = (objectTemplates(ours) as readonly unknown[]).map((our, i) => [(theirs as unknown[])[i], our])
    expect(pairs.map(([their, our]) => differences(their, our))).toEqual([
      ['~.objectDefinition.metadata.name'],
      ['~.objectDefinition.metadata.name'],
    ])
  })

  it('leaves the Subscription alone: none of its variables does anything for the default instance', () => {
    expect(article('agent-subscription')).toHaveLength(1)
    expect(agent.steps.some(step => step.type === 'object' && step.subject.kind === 'Subscription')).toBe(false)
  })
})
