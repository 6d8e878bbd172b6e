import { HOSTING_APPSET, HUB_APP_NAME, HUB_APP_NAMESPACE } from '../../src/fleet/joins/works.ts'
import type { KindName } from '../../src/fleet/kinds.ts'
import type { Manifest } from '../../src/plan/object.ts'
import { isObject, type RawObject as Raw, textAt, valueAt } from '../../src/raw.ts'
import type { RawObject, RecordedFleet } from '../support/fleets.ts'
import type { Patch } from '../support/patch.ts'
import { has, put, rawOf, refOf } from './prove.ts'

/**
 * What controllers write in answer to a fix, played on a recording. Objects that were recorded come from a healthy recording
 * of the same lab; what is copied from one object of the fleet to another (template to Application, Application to
 * ManifestWork, ManifestWork to cluster) is copied here as the controller does it.
 */
export type React = (patch: Patch, healthy: RecordedFleet) => void

const OCM = 'apps.open-cluster-management.io'

function all(patch: Patch, cluster: string, kind: string): readonly RawObject[] {
  return patch.objects.filter(o => o.cluster === cluster && o.kind === kind).map(o => o.raw)
}

/** The placement controller decides as it did in the healthy recording. @param name `namespace/name` of the Placement */
export const decides =
  (name: string): React =>
  (patch, healthy) => {
    const [namespace = '', placement = ''] = name.split('/')
    patch.edit(`hub/Placement/${name}`).status = structuredClone(rawOf(healthy, `hub/Placement/${name}`).status)
    const label = 'cluster.open-cluster-management.io/placement'
    const own = (raw: Raw): boolean =>
      textAt(raw, 'metadata', 'namespace') === namespace && textAt(raw, 'metadata', 'labels', label) === placement
    patch.objects = patch.objects.filter(o => o.kind !== 'PlacementDecision' || !own(o.raw))
    const decisions = healthy.objects.filter(o => o.kind === 'PlacementDecision' && own(o.raw))
    if (decisions.length === 0) throw new Error(`${healthy.name} has no decision of ${name}`)
    for (const { raw } of decisions) patch.add('hub', 'PlacementDecision', structuredClone(raw))
  }

/** An object is as in the healthy recording: its controller has written it, or its status, anew. */
export const asInHealth =
  (ref: string, part: 'whole' | 'status' = 'whole'): React =>
  (patch, healthy) => {
    const raw = structuredClone(rawOf(healthy, ref))
    if (part === 'whole' && !has(patch, ref)) {
      const [cluster = '', kind = ''] = ref.split('/')
      patch.add(cluster, kind as KindName, raw)
      return
    }
    const there = patch.edit(ref)
    const readAt = patch.clusters.find(c => c.name === 'hub')?.readAt ?? 0
    const now = new Date(readAt).toISOString().replace(/\.\d+/, '')
    // Written anew means just now.
    if (part === 'status') there.status = isObject(raw.status) ? { ...raw.status, lastUpdateTime: now } : raw.status
    else Object.assign(there, raw)
  }

function rendered(value: unknown, cluster: string, server: string): unknown {
  if (typeof value === 'string')
    return value
      .replaceAll(/\{\{\s*\.?(name|clusterName)\s*\}\}/g, cluster)
      .replaceAll(/\{\{\s*\.?server\s*\}\}/g, server)
  if (Array.isArray(value)) return value.map(item => rendered(item, cluster, server))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, rendered(v, cluster, server)]))
}

/** The URL in the cluster secret of a cluster. */
function serverOf(patch: Patch, cluster: string): string {
  const text = (secret: RawObject, key: string): string =>
    Buffer.from(textAt(secret, 'data', key), 'base64').toString('utf8')
  const found = all(patch, 'hub', 'Secret').find(secret => text(secret, 'name') === cluster)
  return found === undefined ? '' : text(found, 'server')
}

/** The ApplicationSet controller writes what its template says into the Applications that are there. */
export const generates: React = patch => {
  const clusters = all(patch, 'hub', 'ManagedCluster').map(raw => textAt(raw, 'metadata', 'name'))
  for (const set of all(patch, 'hub', 'ApplicationSet')) {
    for (const cluster of clusters) {
      const named = rendered(valueAt(set, 'spec', 'template'), cluster, '')
      const ref = `hub/Application/${textAt(set, 'metadata', 'namespace')}/${textAt(named, 'metadata', 'name')}`
      if (!has(patch, ref)) continue
      const app = patch.edit(ref)
      const owners = valueAt(app, 'metadata', 'ownerReferences')
      const isOwn = Array.isArray(owners) && owners.some(o => textAt(o, 'name') === textAt(set, 'metadata', 'name'))
      if (!isOwn || !isObject(app.metadata) || !isObject(app.spec)) continue
      const server = serverOf(patch, cluster) || textAt(app, 'spec', 'destination', 'server')
      const made = rendered(valueAt(set, 'spec', 'template'), cluster, server)
      const { labels, annotations } = app.metadata
      const given = (of: string): Raw => {
        const map = valueAt(made, 'metadata', of)
        return isObject(map) ? map : {}
      }
      app.metadata.labels = { ...(isObject(labels) ? labels : {}), ...given('labels') }
      app.metadata.annotations = { ...(isObject(annotations) ? annotations : {}), ...given('annotations') }
      if (valueAt(set, 'spec', 'syncPolicy', 'preserveResourcesOnDeletion') !== true)
        app.metadata.finalizers = ['resources-finalizer.argocd.argoproj.io']
      const spec = valueAt(made, 'spec')
      app.spec = { ...(isObject(spec) ? spec : app.spec) }
    }
  }
}

const manifestsOf = (work: RawObject): readonly unknown[] => {
  const manifests = valueAt(work, 'spec', 'workload', 'manifests')
  return Array.isArray(manifests) ? manifests : []
}

const payloadOf = (work: RawObject): unknown => manifestsOf(work).find(m => textAt(m, 'kind') === 'Application')

/**
 * What of an Application stands in its ManifestWork: the project only where it comes along, under its namespace on the hub,
 * the namespace it goes to, and nothing else: each write replaces the whole (push-pull.md 1.10).
 */
function shape(work: RawObject, app: RawObject, at: string): void {
  const spec = isObject(app.spec) ? app.spec : {}
  const destination = { server: 'https://kubernetes.default.svc', namespace: valueAt(spec, 'destination', 'namespace') }
  const manifests = manifestsOf(work).flatMap(manifest => {
    if (!isObject(manifest) || !isObject(manifest.metadata)) return []
    const kind = textAt(manifest, 'kind')
    if (!['Namespace', 'AppProject', 'Application'].includes(kind)) return []
    if (kind === 'AppProject' && manifest.metadata.name !== spec.project) return []
    if (kind === 'AppProject') manifest.metadata.namespace = textAt(app, 'metadata', 'namespace')
    if (kind === 'Namespace') manifest.metadata.name = at
    if (kind !== 'Application') return [manifest]
    manifest.metadata.namespace = at
    return [{ ...manifest, spec: { ...spec, destination } }]
  })
  if (isObject(work.spec)) work.spec.workload = { manifests }
}

/**
 * The propagation controller carries pull Applications over: it makes the ManifestWork that is not there after the pattern
 * of another one of the fleet, and writes namespace and spec of the Application into the payload.
 */
export const propagates: React = patch => {
  for (const app of all(patch, 'hub', 'Application')) {
    const cluster = textAt(app, 'metadata', 'annotations', `${OCM}/ocm-managed-cluster`)
    if (cluster === '' || textAt(app, 'metadata', 'labels', `${OCM}/pull-to-ocm-managed-cluster`) !== 'true') continue
    const appName = textAt(app, 'metadata', 'name')
    const namespace = textAt(app, 'metadata', 'namespace')
    const name = `${appName}-${textAt(app, 'metadata', 'uid').slice(0, 5)}`
    const at = textAt(app, 'metadata', 'annotations', `${OCM}/ocm-managed-cluster-app-namespace`) || 'openshift-gitops'
    if (has(patch, `hub/ManifestWork/${cluster}/${name}`)) {
      shape(patch.edit(`hub/ManifestWork/${cluster}/${name}`), app, at)
      continue
    }
    const pattern = all(patch, 'hub', 'ManifestWork').find(work => payloadOf(work) !== undefined)
    if (pattern === undefined) throw new Error('there is no ManifestWork to make another one like')
    const former = textAt(payloadOf(pattern), 'metadata', 'name')
    const work: RawObject = JSON.parse(JSON.stringify(pattern).replaceAll(`"${former}"`, `"${appName}"`))
    delete work.status
    const owners = valueAt(app, 'metadata', 'ownerReferences')
    const owner = Array.isArray(owners) ? textAt(owners[0], 'name') : ''
    work.metadata = {
      name,
      namespace: cluster,
      uid: `uid-of-${name}`,
      generation: 1,
      labels: owner === '' ? {} : { [`${OCM}/application-set`]: 'true' },
      annotations: {
        [HUB_APP_NAMESPACE]: namespace,
        [HUB_APP_NAME]: appName,
        ...(owner === '' ? {} : { [HOSTING_APPSET]: `${namespace}/${owner}` }),
      },
    }
    shape(work, app, at)
    patch.add('hub', 'ManifestWork', work)
  }
}

/** The work agents put on their cluster what a ManifestWork carries. */
export const applies: React = patch => {
  for (const work of all(patch, 'hub', 'ManifestWork')) {
    const cluster = textAt(work, 'metadata', 'namespace')
    if (!patch.clusters.some(c => c.name === cluster)) continue
    for (const manifest of manifestsOf(work) as Manifest[]) {
      const isThere = has(patch, refOf(cluster, manifest))
      if (!isThere || manifest.kind === 'Application') put(patch, cluster, structuredClone(manifest))
    }
  }
}

/** The controller of ClusterPermissions puts their roles on the cluster, by a ManifestWork and the work agent. */
export const grants: React = patch => {
  for (const permission of all(patch, 'hub', 'ClusterPermission')) {
    const cluster = textAt(permission, 'metadata', 'namespace')
    const name = textAt(permission, 'metadata', 'name')
    const roles = valueAt(permission, 'spec', 'roles')
    const bindings = valueAt(permission, 'spec', 'roleBindings')
    for (const role of Array.isArray(roles) ? roles : []) {
      const metadata = { name, namespace: textAt(role, 'namespace') }
      const apiVersion = 'rbac.authorization.k8s.io/v1'
      put(patch, cluster, { apiVersion, kind: 'Role', metadata, rules: valueAt(role, 'rules') })
      const binding = (Array.isArray(bindings) ? bindings : []).find(b => textAt(b, 'namespace') === metadata.namespace)
      const account = textAt(binding, 'subject', 'name')
      put(patch, cluster, {
        apiVersion,
        kind: 'RoleBinding',
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
        subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'open-cluster-management-agent-addon' }],
      })
    }
    const rules = valueAt(permission, 'spec', 'clusterRole', 'rules')
    if (rules === undefined) continue
    const apiVersion = 'rbac.authorization.k8s.io/v1'
    put(patch, cluster, { apiVersion, kind: 'ClusterRole', metadata: { name }, rules })
    put(patch, cluster, {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [
        {
          kind: 'ServiceAccount',
          name: textAt(permission, 'spec', 'clusterRoleBinding', 'subject', 'name'),
          namespace: 'open-cluster-management-agent-addon',
        },
      ],
    })
  }
}

/** Argo CD carries out a sync: what it writes into the status of an Application when everything was applied. */
function synced(app: RawObject): void {
  const status = isObject(app.status) ? app.status : {}
  const { conditions: _, ...rest } = status
  const at = textAt(status, 'reconciledAt') || '2026-11-30T16:00:00Z'
  app.status = {
    ...rest,
    reconciledAt: at,
    sync: { ...(isObject(status.sync) ? status.sync : {}), status: 'Synced' },
    health: { status: 'Healthy' },
    operationState: {
      phase: 'Succeeded',
      message: 'successfully synced (all tasks run)',
      startedAt: at,
      finishedAt: at,
    },
  }
  delete app.operation
}

/** The work agent reports that these Applications are synced. */
function fedBack(work: RawObject, names: RegExp): void {
  const manifests = valueAt(work, 'status', 'resourceStatus', 'manifests')
  for (const manifest of Array.isArray(manifests) ? manifests : []) {
    if (!names.test(textAt(manifest, 'resourceMeta', 'name'))) continue
    const values = valueAt(manifest, 'statusFeedback', 'values')
    const said: Readonly<Record<string, string>> = {
      healthStatus: 'Healthy',
      syncStatus: 'Synced',
      operationStatePhase: 'Succeeded',
    }
    for (const value of Array.isArray(values) ? values : []) {
      const text = said[textAt(value, 'name')]
      if (isObject(value) && text !== undefined) value.fieldValue = { type: 'String', string: text }
    }
  }
}

/** The aggregation controller writes into a report that these Applications are synced. */
function reported(report: RawObject, names: RegExp): void {
  const entries = valueAt(report, 'statuses', 'clusterConditions')
  for (const entry of Array.isArray(entries) ? entries : []) {
    const [, name = ''] = textAt(entry, 'app').split('/')
    if (isObject(entry) && names.test(name))
      Object.assign(entry, { healthStatus: 'Healthy', operationStatePhase: 'Succeeded', syncStatus: 'Synced' })
  }
}

/** The Argo CDs sync these Applications, each on the hub and on its cluster. @param names of Applications, matched whole */
export const syncs =
  (names: RegExp): React =>
  patch => {
    for (const { cluster, kind, raw } of [...patch.objects]) {
      if (kind === 'ManifestWork') fedBack(patch.edit(refOf(cluster, { ...raw, kind })), names)
      if (kind === 'MulticlusterApplicationSetReport') reported(patch.edit(refOf(cluster, { ...raw, kind })), names)
      if (kind !== 'Application' || !names.test(textAt(raw, 'metadata', 'name'))) continue
      synced(patch.edit(refOf(cluster, { ...raw, kind })))
    }
  }

export const together =
  (...steps: readonly React[]): React =>
  (patch, healthy) => {
    for (const step of steps) step(patch, healthy)
  }

/** The entries of a cluster in a report come back. */
function addEntries(patch: Patch, report: RawObject, cluster: string): void {
  const ref = refOf('hub', { ...report, kind: 'MulticlusterApplicationSetReport' })
  if (!has(patch, ref)) return
  const own = valueAt(report, 'statuses', 'clusterConditions')
  const wanted = (Array.isArray(own) ? own : []).filter(entry => textAt(entry, 'cluster') === cluster)
  const entries = valueAt(patch.edit(ref), 'statuses', 'clusterConditions')
  if (Array.isArray(entries)) entries.push(...structuredClone(wanted))
}

/**
 * What there was of a cluster's Applications in the healthy recording is there again: Applications, ManifestWorks, and the
 * Applications on the cluster, owned by the ApplicationSets of this recording.
 */
export const comesBack =
  (cluster: string): React =>
  (patch, healthy) => {
    for (const object of healthy.objects) {
      const { kind, raw } = object
      if (kind === 'MulticlusterApplicationSetReport') addEntries(patch, raw, cluster)
      const isOnHub =
        object.cluster === 'hub' && kind === 'Application' && textAt(raw, 'metadata', 'name').endsWith(cluster)
      const isThere = object.cluster === cluster && kind === 'Application'
      const isWork = kind === 'ManifestWork' && textAt(raw, 'metadata', 'namespace') === cluster
      if ((!isOnHub && !isThere && !isWork) || has(patch, refOf(object.cluster, { ...raw, kind }))) continue
      const copy = structuredClone(raw)
      const owners = valueAt(copy, 'metadata', 'ownerReferences')
      for (const owner of Array.isArray(owners) ? owners : []) {
        const set = all(patch, 'hub', 'ApplicationSet').find(
          s => textAt(s, 'metadata', 'name') === textAt(owner, 'name'),
        )
        if (isObject(owner) && set !== undefined) owner.uid = textAt(set, 'metadata', 'uid')
      }
      patch.add(object.cluster, kind, copy)
    }
  }
