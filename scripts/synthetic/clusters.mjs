// What belongs to each managed cluster on the hub: all of it copied from what the recorded cluster has.
import { form, uid } from './form.mjs'
import { CLUSTER, mentions, OTHER } from './recorded.mjs'

/** Objects that belong to no managed cluster but the hub itself, as they were recorded. */
export function* unnamed({ recorded, print }, resource) {
  for (const item of recorded.all(resource)) {
    if (!mentions(item, CLUSTER) && !mentions(item, OTHER)) yield print(item)
  }
}

function valuesOf(cluster, resource, name) {
  return { cluster: cluster.name, set: cluster.set.name, uid: uid(resource, name, cluster.name) }
}

/** A copy for every cluster of what the recorded cluster has, after what the hub has. */
export function* perCluster(context, resource, wanted = () => true) {
  const { recorded, print, fleet } = context
  yield* unnamed(context, resource)
  for (const item of recorded.all(resource).filter(i => mentions(i, CLUSTER) && !mentions(i, OTHER))) {
    const fill = form(print, item)
    for (const cluster of fleet.clusters)
      if (wanted(cluster)) yield fill(valuesOf(cluster, resource, item.metadata.name))
  }
}

/** What the hub writes when the lease of a cluster is not renewed any more (recorded: pull-cluster-unknown-report-healthy). */
function stop({ ago }, conditions, type) {
  Object.assign(
    conditions.find(c => c.type === type),
    {
      lastTransitionTime: ago(20),
      message: 'Registration agent stopped updating its lease.',
      reason: 'ManagedClusterLeaseUpdateStopped',
      status: 'Unknown',
    },
  )
}

export function* managedClusters(context) {
  const { recorded, print, fleet, ago } = context
  yield* unnamed(context, 'managedclusters')
  const healthy = recorded.first('managedclusters', c => c.metadata.name === CLUSTER)
  const lost = structuredClone(healthy)
  delete lost.metadata.labels['cluster.open-cluster-management.io/clusterset']
  const away = structuredClone(healthy)
  for (const label of Object.keys(away.metadata.labels)) {
    if (label.startsWith('feature.open-cluster-management.io/')) away.metadata.labels[label] = 'unreachable'
  }
  away.spec.taints = [{ effect: 'NoSelect', key: 'cluster.open-cluster-management.io/unreachable', timeAdded: ago(20) }]
  stop(context, away.status.conditions, 'ManagedClusterConditionAvailable')
  const fill = { healthy: form(print, healthy), lost: form(print, lost), away: form(print, away) }
  for (const cluster of fleet.clusters) {
    const state = cluster.unavailable ? 'away' : cluster.labelled ? 'healthy' : 'lost'
    yield fill[state](valuesOf(cluster, 'managedclusters', ''))
  }
}

export function* addOns(context) {
  const { recorded, print, fleet } = context
  yield* perCluster(context, 'managedclusteraddons', c => !c.unavailable)
  const away = fleet.clusters.filter(c => c.unavailable)
  for (const item of recorded.all('managedclusteraddons').filter(a => a.metadata.namespace === CLUSTER)) {
    const copy = structuredClone(item)
    stop(context, copy.status.conditions, 'Available')
    const fill = form(print, copy)
    for (const cluster of away) yield fill(valuesOf(cluster, 'managedclusteraddons', item.metadata.name))
  }
}

export function* leases(context) {
  const { recorded, print, fleet, ago } = context
  yield* perCluster(context, 'leases', c => !c.unavailable)
  const lease = recorded.first('leases', l => l.metadata.namespace === CLUSTER)
  lease.spec.renewTime = ago(25)
  const fill = form(print, lease)
  for (const cluster of fleet.clusters) if (cluster.unavailable) yield fill(valuesOf(cluster, 'leases', ''))
}

export function accounts(context) {
  return perCluster(context, 'managedserviceaccounts', c => !c.accountless)
}

const base64 = text => Buffer.from(text).toString('base64')

/** The token of each cluster's account, and its Argo CD cluster secret. Values are canaries, as in the recorded fleet. */
export function* secrets(context) {
  const { recorded, print, fleet } = context
  yield* unnamed(context, 'secrets')
  const token = form(
    print,
    recorded.first('secrets', s => s.metadata.namespace === CLUSTER),
  )
  const secret = recorded.first('secrets', s => s.metadata.name.startsWith(`${CLUSTER}-`))
  const server = Buffer.from(secret.data.server, 'base64')
    .toString()
    .replace(new RegExp(`/${CLUSTER}$`), '')
  Object.assign(secret.data, { name: '@name@', server: '@server@' })
  const fill = form(print, secret)
  for (const cluster of fleet.clusters) {
    // The token went with its account; what was written with it stays.
    if (!cluster.accountless) yield token(valuesOf(cluster, 'secrets', 'token'))
    const values = valuesOf(cluster, 'secrets', 'cluster')
    yield fill({ ...values, name: base64(cluster.name), server: base64(`${server}/${cluster.name}`) })
  }
}
