// What is delivered: ApplicationSets, their Applications, and for pull the ManifestWorks and reports.

import { unnamed } from './clusters.mjs'
import { form, nextVersion, uid } from './form.mjs'
import { applicationSetsOf, decided, workName } from './plan.mjs'
import { CLUSTER, isPull, mentions, OTHER, workloadNames } from './recorded.mjs'
import { placementOf } from './selection.mjs'

const HOSTING = 'apps.open-cluster-management.io/hosting-applicationset'

export function* applicationSets({ recorded, print, fleet }) {
  for (const pull of [false, true]) {
    const object = recorded.first('applicationsets', s => isPull(s) === pull)
    const [entry] = object.status.resources
    const { labelSelector } = object.spec.generators[0].clusterDecisionResource
    labelSelector.matchLabels['cluster.open-cluster-management.io/placement'] = '@placement@'
    object.metadata.name = '@name@'
    object.status.resources = '@resources@'
    object.status.resourcesCount = '@count@'
    const fill = form(print, object, workloadNames(pull))
    for (const { name, workload, set } of applicationSetsOf(fleet)) {
      if (workload.pull !== pull) continue
      const clusters = set.clusters.filter(decided)
      const text = fill({
        name,
        workload: workload.name,
        uid: uid('ApplicationSet', name),
        placement: placementOf(set),
        resources: '@resources@',
        count: '@count@',
      })
      const resources = clusters.map(c => ({
        ...entry,
        name: `${workload.name}-${c.name}`,
        health: { status: 'Healthy' },
      }))
      yield text.replace('"@resources@"', print(resources).trim()).replace('"@count@"', String(clusters.length))
    }
  }
}

/** What a workload of some size deploys, instead of the one ConfigMap that was recorded. */
const DEPLOYED = [
  ['', 'v1', 'ServiceAccount'],
  ['', 'v1', 'ConfigMap'],
  ['', 'v1', 'Service', 'Healthy'],
  ['apps', 'v1', 'Deployment', 'Healthy'],
  ['rbac.authorization.k8s.io', 'v1', 'Role'],
  ['rbac.authorization.k8s.io', 'v1', 'RoleBinding'],
]

function enlarge({ status }) {
  const { operationState } = status
  const [recordedResult] = operationState.syncResult.resources
  const { name } = recordedResult
  status.resources = DEPLOYED.map(([group, version, kind, health]) => ({
    ...(group === '' ? {} : { group }),
    ...(health === undefined ? {} : { health: { status: health } }),
    kind,
    name,
    namespace: name,
    status: 'Synced',
    version,
  }))
  operationState.syncResult.resources = DEPLOYED.map(([group, version, kind]) => ({
    ...recordedResult,
    group,
    kind,
    message: `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name} unchanged`,
    namespace: name,
    version,
  }))
  const [deployed] = status.history
  status.history = [0, 1, 2].map(id => ({ ...deployed, id }))
}

export function* applications({ recorded, print, fleet }) {
  for (const pull of [false, true]) {
    // Of the two recorded ones of pull, one was still Progressing in its copied status.
    const object = recorded.first('applications', a => isPull(a) === pull && a.status.health.status === 'Healthy')
    const from = mentions(object, CLUSTER) ? CLUSTER : OTHER
    if (pull) {
      const [pointer] = object.status.conditions
      pointer.message = pointer.message.replace('branding-pull', '@owner@')
    } else enlarge(object)
    Object.assign(object.metadata.ownerReferences[0], { name: '@owner@', uid: '@owneruid@' })
    const fill = form(print, object, { [from]: 'cluster', ...workloadNames(pull) })
    for (const { name: owner, workload, set } of applicationSetsOf(fleet)) {
      if (workload.pull !== pull) continue
      const owneruid = uid('ApplicationSet', owner)
      for (const cluster of set.clusters.filter(decided)) {
        const id = uid('Application', `${workload.name}-${cluster.name}`)
        yield fill({ cluster: cluster.name, workload: workload.name, uid: id, owner, owneruid })
      }
    }
  }
}

export function* works(context) {
  const { recorded, print, fleet, namespace } = context
  yield* unnamed(context, 'manifestworks')
  const object = recorded.first('manifestworks', w => w.metadata.namespace === OTHER)
  const payload = object.spec.workload.manifests.find(m => m.kind === 'Application')
  object.metadata.name = '@name@'
  object.metadata.annotations[HOSTING] = `${namespace}/@owner@`
  payload.metadata.annotations[HOSTING] = `${namespace}/@owner@`
  const names = { [OTHER]: 'cluster', ...workloadNames(true) }
  const fill = form(print, object, names)
  payload.spec.source.path += '-of-before'
  const outdated = form(print, object, names)
  for (const { name: owner, workload, set } of applicationSetsOf(fleet)) {
    if (!workload.pull) continue
    for (const cluster of set.clusters.filter(decided)) {
      const name = workName(workload, cluster)
      const values = { cluster: cluster.name, workload: workload.name, uid: uid('ManifestWork', name), name, owner }
      yield cluster.outdated === workload ? outdated(values) : fill(values)
    }
  }
}

export function* reports({ recorded, print, fleet, namespace }) {
  const object = recorded.first('multiclusterapplicationsetreports')
  const [entry] = object.statuses.clusterConditions
  const app = recorded.first('applications', a => isPull(a) && a.status.health.status === 'Healthy')
  const operationStateStartedAt = app.status.operationState.startedAt
  for (const { name, workload, set } of applicationSetsOf(fleet)) {
    if (!workload.pull) continue
    // A report whose ApplicationSet has no Application any more keeps its last entries (recorded: push-binding-deleted).
    const clusters = set.clusters.filter(set.bound ? decided : c => c.labelled)
    const copy = structuredClone(object)
    Object.assign(copy.metadata, { name, uid: uid('report', name), resourceVersion: nextVersion() })
    copy.metadata.labels[HOSTING] = `${namespace}.${name}`
    copy.statuses.clusterConditions = clusters.map(c => ({
      ...entry,
      app: `${namespace}/${workload.name}-${c.name}/${c.name}/${workName(workload, c)}`,
      cluster: c.name,
      operationStateStartedAt,
    }))
    const count = String(clusters.length)
    Object.assign(copy.statuses.summary, { clusters: count, healthy: count, synced: count })
    yield print(copy)
  }
}
