import { HUB_APP_NAME, HUB_APP_NAMESPACE } from '../../src/fleet/joins/works.ts'
import { isRawObject, type Manifest, type RawObject as Raw, textAt, valueAt } from '../../src/plan/object.ts'
import { isObject, type RawObject, type RecordedFleet } from '../support/fleets.ts'
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
    const there = patch.edit(ref)
    if (part === 'status') there.status = raw.status
    else Object.assign(there, raw)
  }

function rendered(value: unknown, cluster: string, server: string): unknown {
  if (typeof value === 'string')
    return value
      .replaceAll(/\{\{\s*\.?(name|clusterName)\s*\}\}/g, cluster)
      .replaceAll(/\{\{\s*\.?server\s*\}\}/g, server)
  if (Array.isArray(value)) return value.map(item => rendered(item, cluster, server))
  if (!isRawObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, rendered(v, cluster, server)]))
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
      const isOwn =
        Array.isArray(owners) && owners.some(o => textAt(o, 'name') === textAt(set, 'metadata', 'name'))
      if (!isOwn || !isObject(app.metadata) || !isObject(app.spec)) continue
      const made = rendered(valueAt(set, 'spec', 'template'), cluster, textAt(app, 'spec', 'destination', 'server'))
      const { labels, annotations } = app.metadata
      const given = (of: string): Raw => {
        const map = valueAt(made, 'metadata', of)
        return isRawObject(map) ? map : {}
      }
      app.metadata.labels = { ...(isObject(labels) ? labels : {}), ...given('labels') }
      app.metadata.annotations = { ...(isObject(annotations) ? annotations : {}), ...given('annotations') }
      if (valueAt(set, 'spec', 'syncPolicy', 'preserveResourcesOnDeletion') !== true)
        app.metadata.finalizers = ['resources-finalizer.argocd.argoproj.io']
      const spec = valueAt(made, 'spec')
      app.spec = { ...(isRawObject(spec) ? spec : app.spec) }
    }
  }
}

const payloadOf = (work: RawObject): unknown => {
  const manifests = valueAt(work, 'spec', 'workload', 'manifests')
  return (Array.isArray(manifests) ? manifests : []).find(m => textAt(m, 'kind') === 'Application')
}

/**
 * The propagation controller carries pull Applications over: it makes the ManifestWork that is not there after the pattern
 * of another one of the fleet, and writes the namespace on the cluster into the payload.
 */
export const propagates: React = patch => {
  for (const app of all(patch, 'hub', 'Application')) {
    const cluster = textAt(app, 'metadata', 'annotations', `${OCM}/ocm-managed-cluster`)
    if (cluster === '' || textAt(app, 'metadata', 'labels', `${OCM}/pull-to-ocm-managed-cluster`) !== 'true') continue
    const appName = textAt(app, 'metadata', 'name')
    const name = `${appName}-${textAt(app, 'metadata', 'uid').slice(0, 5)}`
    const at = textAt(app, 'metadata', 'annotations', `${OCM}/ocm-managed-cluster-app-namespace`) || 'openshift-gitops'
    if (has(patch, `hub/ManifestWork/${cluster}/${name}`)) {
      const payload = payloadOf(patch.edit(`hub/ManifestWork/${cluster}/${name}`))
      if (isObject(payload) && isObject(payload.metadata)) payload.metadata.namespace = at
      continue
    }
    const pattern = all(patch, 'hub', 'ManifestWork').find(work => payloadOf(work) !== undefined)
    if (pattern === undefined) throw new Error('there is no ManifestWork to make another one like')
    const former = textAt(payloadOf(pattern), 'metadata', 'name')
    const work: RawObject = JSON.parse(JSON.stringify(pattern).replaceAll(`"${former}"`, `"${appName}"`))
    delete work.status
    work.metadata = {
      name,
      namespace: cluster,
      uid: `uid-of-${name}`,
      generation: 1,
      annotations: { [HUB_APP_NAMESPACE]: textAt(app, 'metadata', 'namespace'), [HUB_APP_NAME]: appName },
    }
    const payload = payloadOf(work)
    if (!isObject(payload) || !isObject(payload.metadata)) throw new Error('a ManifestWork without an Application')
    payload.metadata.namespace = at
    const spec = isObject(app.spec) ? app.spec : {}
    const destination = { server: 'https://kubernetes.default.svc', namespace: valueAt(spec, 'destination', 'namespace') }
    payload.spec = { ...spec, destination }
    patch.add('hub', 'ManifestWork', work)
  }
}

/** The work agents put on their cluster what a ManifestWork carries and what is not there. */
export const applies: React = patch => {
  for (const work of all(patch, 'hub', 'ManifestWork')) {
    const cluster = textAt(work, 'metadata', 'namespace')
    if (!patch.clusters.some(c => c.name === cluster)) continue
    const manifests = valueAt(work, 'spec', 'workload', 'manifests')
    for (const manifest of Array.isArray(manifests) ? (manifests as Manifest[]) : [])
      if (!has(patch, refOf(cluster, manifest))) put(patch, cluster, structuredClone(manifest))
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
    operationState: { phase: 'Succeeded', message: 'successfully synced (all tasks run)', startedAt: at, finishedAt: at },
  }
  delete app.operation
}

/** The Argo CDs sync these Applications, each on the hub and on its cluster. @param names of Applications, matched whole */
export const syncs =
  (names: RegExp): React =>
  patch => {
    for (const { cluster, kind, raw } of [...patch.objects]) {
      if (kind !== 'Application' || !names.test(textAt(raw, 'metadata', 'name'))) continue
      synced(patch.edit(refOf(cluster, { ...raw, kind })))
    }
  }

export const together =
  (...steps: readonly React[]): React =>
  (patch, healthy) => {
    for (const step of steps) step(patch, healthy)
  }
