import { describe, expect, it } from 'vitest'
import { KINDS } from '../../../src/fleet/kinds.ts'
import { appProject, projectForAgents } from '../../../src/plan/manifests/app-project.ts'
import { type ApplicationSetInput, applicationSet, type Delivery } from '../../../src/plan/manifests/application-set.ts'
import { argoCdPrincipal } from '../../../src/plan/manifests/argocd.ts'
import {
  clusterSetMember,
  managedClusterSet,
  managedClusterSetBinding,
} from '../../../src/plan/manifests/cluster-set.ts'
import { type GitOpsClusterInput, gitOpsCluster } from '../../../src/plan/manifests/gitops-cluster.ts'
import { NOT_THE_HUB, placement } from '../../../src/plan/manifests/placement.ts'
import { configurationPolicy, operatorPolicy, placementBinding, policy } from '../../../src/plan/manifests/policy.ts'
import { clusterRoleBinding, managedByNamespace } from '../../../src/plan/manifests/rbac.ts'
import type { ApiVersionOf } from '../../../src/plan/manifests/served.ts'
import {
  clusterPermission,
  managedClusterAddOn,
  managedServiceAccount,
} from '../../../src/plan/manifests/service-account.ts'
import { apiVersion, kindOfManifest, type Manifest } from '../../../src/plan/object.ts'
import { schemaErrors } from '../../support/crd-schema.ts'

/** The newest version that fleetctl knows of a kind. */
const v: ApiVersionOf = kind => apiVersion(kind, KINDS[kind].versions[0] ?? 'v1')

const appSet = (delivery: Delivery, more: Partial<ApplicationSetInput> = {}): Manifest =>
  applicationSet(v, {
    namespace: 'argocd',
    name: 'shop',
    configMap: 'acm-placement',
    placement: 'shops',
    requeueAfterSeconds: 180,
    goTemplate: false,
    applicationName: 'shop-{{name}}',
    project: 'default',
    source: { repoURL: 'https://git.example.test/fleet.git', path: 'apps/{{name}}', targetRevision: 'main' },
    sync: { automated: true, prune: true, selfHeal: true, options: ['CreateNamespace=true'] },
    onLeave: 'keep',
    delivery,
    ...more,
  })

const gitOps = (more: Partial<GitOpsClusterInput>): Manifest =>
  gitOpsCluster(v, { namespace: 'argocd', name: 'shops', argoNamespace: 'argocd', placement: 'shops', ...more })

const RULES = [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch', 'create'] }]
const PULL: Delivery = { model: 'pull', spokeNamespace: 'openshift-gitops' }

const templates = [
  configurationPolicy('rights', [
    clusterRoleBinding('argo', 'cluster-admin', { namespace: 'argocd', name: 'controller' }),
    managedByNamespace('shop', 'argocd'),
  ]),
  operatorPolicy({ name: 'op', namespace: 'op', channel: 'latest', source: 'operators', sourceNamespace: 'market' }),
]

/** Each builder with all that it can be given, and with as little as it takes. */
const MANIFESTS: readonly (readonly [what: string, Manifest])[] = [
  ['a set', managedClusterSet(v, 'shops')],
  ['a member of a set', clusterSetMember(v, 'bm', 'shops')],
  ['a binding', managedClusterSetBinding(v, 'argocd', 'shops')],
  [
    'a Placement with everything',
    placement(v, {
      namespace: 'argocd',
      name: 'shops',
      clusterSets: ['shops'],
      predicates: [
        {
          labels: [NOT_THE_HUB, { key: 'vendor', operator: 'Exists' }],
          claims: [{ key: 'region', operator: 'In', values: ['eu'] }],
          cel: ['true'],
        },
      ],
      numberOfClusters: 2,
    }),
  ],
  ['a Placement that keeps its predicates', placement(v, { namespace: 'a', name: 'b', clusterSets: [] })],
  ['a GitOpsCluster', gitOps({})],
  ['a GitOpsCluster with its own account', gitOps({ serviceAccount: 'deployer', blankSecrets: false })],
  ['a GitOpsCluster with the add-on', gitOps({ addon: { olm: { channel: 'latest' } } })],
  ['a GitOpsCluster with agents', gitOps({ addon: { agent: { mode: 'managed', address: 'a.test', port: '443' } } })],
  ['a push ApplicationSet', appSet({ model: 'push' })],
  ['a pull ApplicationSet', appSet(PULL, { destinationNamespace: 'shop' })],
  ['an agent ApplicationSet', appSet({ model: 'agent' }, { goTemplate: true, onLeave: 'remove' })],
  [
    'a project',
    appProject(v, {
      namespace: 'argocd',
      name: 'retail',
      description: 'shops',
      sourceRepos: ['https://git.example.test/fleet.git'],
      destinations: [{ server: 'https://kubernetes.default.svc', namespace: '*' }],
      sourceNamespaces: ['apps'],
    }),
  ],
  [
    'a project for agents',
    projectForAgents(v, {
      namespace: 'argocd',
      name: 'default',
      destinations: [{ server: 'https://a', namespace: 'b' }],
    }),
  ],
  ['an account', managedServiceAccount(v, 'bm', 'deployer')],
  [
    'rights',
    clusterPermission(v, {
      cluster: 'bm',
      name: 'deployer',
      namespaces: [{ namespace: 'shop', rules: RULES }],
      clusterRules: RULES,
    }),
  ],
  ['an add-on', managedClusterAddOn(v, 'bm', 'managed-serviceaccount')],
  ['a policy', policy(v, { namespace: 'argocd', name: 'spokes', templates })],
  [
    'a policy binding',
    placementBinding(v, { namespace: 'argocd', name: 'spokes', placement: 'shops', policy: 'spokes' }),
  ],
  [
    'a principal',
    argoCdPrincipal(v, {
      namespace: 'argocd',
      name: 'argocd',
      controllerEnabled: false,
      applicationNamespaces: ['argocd'],
    }),
  ],
]

describe.each(MANIFESTS)('%s', (_, manifest) => {
  it('is taken by the real definition, without a field that it does not have', () => {
    expect(schemaErrors(manifest)).toEqual([])
  })

  it('is of a kind of the chain, with a namespace where the kind has one', () => {
    expect(manifest.metadata.namespace !== undefined).toBe(KINDS[kindOfManifest(manifest)].namespaced)
  })
})

describe('templates of a policy', () => {
  it.each(templates)('are taken by the definitions on the spoke', template => {
    expect(schemaErrors(template)).toEqual([])
  })
})

describe('the schema check', () => {
  it('sees an unknown field, a wrong type and a missing one', () => {
    const set = managedClusterSet(v, 'shops')
    expect(schemaErrors({ ...set, spec: { clusterSelector: { selectorTyp: 'x' } } }).join()).toContain('selectorTyp')
    expect(schemaErrors({ ...set, spec: { clusterSelector: { selectorType: 'Other' } } }).join()).toContain('allowed')
    expect(schemaErrors(placement(v, { namespace: '', name: '', clusterSets: [] })).join()).toContain('name')
    expect(schemaErrors({ apiVersion: 'v9', kind: 'Placement' })).toEqual(['no definition of v9 Placement'])
  })
})

describe('ApplicationSets', () => {
  const spec = (m: Manifest) => JSON.parse(JSON.stringify(m.spec))

  it('are pull with all four marks, and with none in other models', () => {
    expect(spec(appSet(PULL)).template.metadata).toEqual({
      name: 'shop-{{name}}',
      labels: { 'apps.open-cluster-management.io/pull-to-ocm-managed-cluster': 'true' },
      annotations: {
        'argocd.argoproj.io/skip-reconcile': 'true',
        'apps.open-cluster-management.io/ocm-managed-cluster': '{{name}}',
        'apps.open-cluster-management.io/ocm-managed-cluster-app-namespace': 'openshift-gitops',
      },
    })
    for (const model of ['push', 'agent'] as const) {
      expect(spec(appSet({ model })).template.metadata).toEqual({ name: 'shop-{{name}}' })
      expect(spec(appSet({ model })).template.spec.destination).toEqual({ name: '{{name}}' })
    }
  })

  it('keep a workload without orphaning a ManifestWork', () => {
    expect(spec(appSet({ model: 'push' })).syncPolicy).toEqual({ preserveResourcesOnDeletion: true })
    expect(spec(appSet(PULL)).syncPolicy).toEqual({ applicationsSync: 'create-update' })
    expect(spec(appSet(PULL, { onLeave: 'remove' })).syncPolicy).toBeUndefined()
  })

  it('name fields as their template language does', () => {
    const go = spec(appSet(PULL, { goTemplate: true }))
    expect(go.template.metadata.annotations['apps.open-cluster-management.io/ocm-managed-cluster']).toBe('{{.name}}')
    expect(go.goTemplateOptions).toEqual(['missingkey=error'])
  })
})

describe('Placements', () => {
  it('tolerate both taints that the hub sets', () => {
    expect(placement(v, { namespace: 'a', name: 'b', clusterSets: ['c'] }).spec).toMatchObject({
      tolerations: [
        { key: 'cluster.open-cluster-management.io/unreachable', operator: 'Exists' },
        { key: 'cluster.open-cluster-management.io/unavailable', operator: 'Exists' },
      ],
    })
  })
})
