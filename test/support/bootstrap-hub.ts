import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { isObject, type RawObject, textAt } from '../../src/raw.ts'
import type { ApiServer } from './apiserver.ts'
import { until } from './until.ts'

const CRDS = new URL('../crds/', import.meta.url)
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Definitions of a hub of ACM: everything but the upstream flavour of GitOpsCluster. */
const HUB_CRDS = readdirSync(CRDS).filter(name => name.endsWith('.yaml') && !name.includes('.v1alpha1.'))

function resourcePath(crds: ReadonlyMap<string, string>, object: RawObject): string {
  const apiVersion = textAt(object, 'apiVersion')
  const kind = textAt(object, 'kind')
  const namespace = textAt(object, 'metadata', 'namespace')
  const plural = crds.get(kind) ?? `${kind.toLowerCase()}s`
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  return `${root}${namespace === '' ? '' : `/namespaces/${namespace}`}/${plural}`
}

/** An API server that serves what a hub serves; objects are put there through the API. */
export class BootstrapHub {
  readonly server: ApiServer
  readonly #plurals = new Map<string, string>()

  constructor(server: ApiServer) {
    this.server = server
  }

  async installDefinitions(): Promise<void> {
    for (const file of HUB_CRDS) {
      const body = readFileSync(new URL(file, CRDS), 'utf8')
      const { spec } = parse(body)
      this.#plurals.set(spec.names.kind, spec.names.plural)
      await this.server.request('POST', DEFINITIONS, body, 'application/yaml')
    }
    await until(async () => {
      const list = await this.server.request('GET', DEFINITIONS)
      const items = isObject(list) && Array.isArray(list.items) ? list.items : []
      return (
        items.length >= HUB_CRDS.length &&
        items.every(crd =>
          crd.status?.conditions?.some((c: RawObject) => c.type === 'Established' && c.status === 'True'),
        )
      )
    }, 'the definitions to be established')
    // The storage of a new kind answers only when it is set up.
    await until(async () => (await this.snapshot()).size > 0, 'the loaded objects to be read')
  }

  pathOf(object: RawObject): string {
    return `${resourcePath(this.#plurals, object)}/${textAt(object, 'metadata', 'name')}`
  }

  /** Creates an object as the admin, with its status where the kind has that as a subresource. */
  async create(object: RawObject): Promise<void> {
    const created = await this.server.request('POST', resourcePath(this.#plurals, object), object)
    if (object.status === undefined || !isObject(created)) return
    const withStatus = { ...created, status: object.status }
    await this.server.request('PUT', `${this.pathOf(object)}/status`, withStatus).catch(() => undefined)
  }

  /** Sets the status of an object that is there, as a controller does. */
  async setStatus(object: RawObject, status: unknown): Promise<void> {
    const patch = { status }
    await this.server.request('PATCH', `${this.pathOf(object)}/status`, patch, 'application/merge-patch+json')
  }

  async get(object: RawObject): Promise<RawObject | undefined> {
    const found = await this.server.request('GET', this.pathOf(object)).catch(() => undefined)
    return isObject(found) ? found : undefined
  }

  async remove(object: RawObject): Promise<void> {
    await this.server.request('DELETE', this.pathOf(object)).catch(() => undefined)
  }

  async patch(object: RawObject, patch: unknown, manager: string): Promise<void> {
    const at = `${this.pathOf(object)}?fieldManager=${manager}`
    await this.server.request('PATCH', at, patch, 'application/merge-patch+json')
  }

  /** Lets namespaces go that are being deleted, as the namespace controller does when they are empty. */
  async finishNamespaces(): Promise<void> {
    const list = await this.server.request('GET', '/api/v1/namespaces')
    for (const item of isObject(list) && Array.isArray(list.items) ? list.items : []) {
      if (item.metadata.deletionTimestamp === undefined) continue
      const at = `/api/v1/namespaces/${item.metadata.name}/finalize`
      await this.server.request('PUT', at, { ...item, spec: { finalizers: [] } })
    }
  }

  /** Everything of these kinds, without what a server sets and without managedFields: what a revert has to bring back. */
  async snapshot(): Promise<ReadonlyMap<string, string>> {
    const all = new Map<string, string>()
    for (const [kind, group] of SNAPSHOT) {
      const plural = this.#plurals.get(kind) ?? 'namespaces'
      const list = await this.server.request('GET', `${group}/${plural}`)
      for (const item of isObject(list) && Array.isArray(list.items) ? list.items : []) {
        const { uid, resourceVersion, generation, managedFields, creationTimestamp, ...metadata } = item.metadata
        const { status, ...rest } = item
        all.set(`${kind}/${metadata.namespace ?? ''}/${metadata.name}`, JSON.stringify({ ...rest, metadata }))
      }
    }
    return all
  }
}

const CLUSTER = '/apis/cluster.open-cluster-management.io'
const SNAPSHOT: readonly (readonly [string, string])[] = [
  ['ManagedCluster', `${CLUSTER}/v1`],
  ['ManagedClusterSet', `${CLUSTER}/v1beta2`],
  ['ManagedClusterSetBinding', `${CLUSTER}/v1beta2`],
  ['Placement', `${CLUSTER}/v1beta1`],
  ['GitOpsCluster', '/apis/apps.open-cluster-management.io/v1beta1'],
  ['ApplicationSet', '/apis/argoproj.io/v1alpha1'],
  ['AppProject', '/apis/argoproj.io/v1alpha1'],
  ['ArgoCD', '/apis/argoproj.io/v1beta1'],
  ['ManagedServiceAccount', '/apis/authentication.open-cluster-management.io/v1beta1'],
  ['ClusterPermission', '/apis/rbac.open-cluster-management.io/v1alpha1'],
  ['ManagedClusterAddOn', '/apis/addon.open-cluster-management.io/v1alpha1'],
  ['Policy', '/apis/policy.open-cluster-management.io/v1'],
  ['PlacementBinding', '/apis/policy.open-cluster-management.io/v1'],
  ['Subscription', '/apis/operators.coreos.com/v1alpha1'],
  ['Namespace', '/api/v1'],
]

/** The article's hub before anything was set up: clusters, Argo CD, its operator's resource, and their namespaces. */
export const EMPTY_HUB: readonly RawObject[] = [
  ...['openshift-gitops', 'bm', 'sno', 'local-cluster'].map(name => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  })),
  ...['bm', 'sno', 'local-cluster'].map(name => ({
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: {
      name,
      labels: { vendor: 'OpenShift', name, ...(name === 'local-cluster' ? { 'local-cluster': 'true' } : {}) },
    },
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 60 },
    status: {
      conditions: ['HubAcceptedManagedCluster', 'ManagedClusterJoined', 'ManagedClusterConditionAvailable'].map(
        type => ({
          type,
          status: 'True',
          reason: type,
          message: '',
          lastTransitionTime: '2026-11-30T15:38:36Z',
        }),
      ),
      version: { kubernetes: 'v1.34.2' },
    },
  })),
  ...['bm', 'sno'].map(namespace => ({
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'ManagedClusterAddOn',
    metadata: { name: 'managed-serviceaccount', namespace },
    spec: {},
  })),
  {
    apiVersion: 'argoproj.io/v1beta1',
    kind: 'ArgoCD',
    metadata: { name: 'openshift-gitops', namespace: 'openshift-gitops' },
    spec: { applicationSet: {}, server: { route: { enabled: true } } },
  },
  {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace: 'openshift-gitops' },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
  },
]
