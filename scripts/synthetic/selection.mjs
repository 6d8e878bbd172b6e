// How clusters are selected and registered: sets, bindings, Placements with their decisions, the GitOpsCluster.
import { form, nextVersion, uid } from './form.mjs'
import { decided } from './plan.mjs'
import { SET } from './recorded.mjs'

/** Clusters that one PlacementDecision holds at the most (open-cluster-management-io/ocm maxNumOfClusterDecisions). */
const PER_DECISION = 100

const ALL = 'all-clusters'
const PLACEMENT = 'cluster.open-cluster-management.io/placement'

export function placementOf(set) {
  return `in-${set.name}`
}

export function* clusterSets({ recorded, print, fleet }) {
  for (const item of recorded.all('managedclustersets').filter(s => s.metadata.name !== SET)) {
    yield print(item).replace('3 ManagedClusters', `${fleet.clusters.length + 1} ManagedClusters`)
  }
  const object = recorded.first('managedclustersets', s => s.metadata.name === SET)
  object.status.conditions[0].message = '@count@ ManagedClusters selected'
  const fill = form(print, object)
  for (const set of fleet.sets) {
    const count = String(set.clusters.filter(c => c.labelled).length)
    yield fill({ set: set.name, uid: uid('set', set.name), count })
  }
}

export function* bindings({ recorded, print, fleet }) {
  const fill = form(print, recorded.first('managedclustersetbindings'))
  for (const set of fleet.sets) if (set.bound) yield fill({ set: set.name, uid: uid('binding', set.name) })
}

/** Every Placement with the clusters that it selects: one for all, which the GitOpsCluster uses, and one per set. */
function* selections({ sets, clusters }) {
  yield { name: ALL, sets, clusters: clusters.filter(decided) }
  for (const set of sets) yield { name: placementOf(set), sets: [set], clusters: set.clusters.filter(decided) }
}

/** The names of its PlacementDecisions; an empty one is kept. */
function decisionNames({ name, clusters }) {
  const length = Math.max(1, Math.ceil(clusters.length / PER_DECISION))
  return Array.from({ length }, (_, i) => `${name}-decision-${i + 1}`)
}

/** What a Placement says that has no set left (recorded: push-binding-no-intersection, push-binding-deleted). */
function unsatisfied(asked, anyBound) {
  return anyBound
    ? {
        reason: 'NoIntersection',
        message: `None of ManagedClusterSets [${asked.join(' ')}] is bound to placement namespace`,
      }
    : {
        reason: 'NoManagedClusterSetBindings',
        message: 'No valid ManagedClusterSetBindings found in placement namespace',
      }
}

export function* placements({ recorded, print, fleet, ago }) {
  const object = recorded.first('placements')
  for (const selection of selections(fleet)) {
    const { name, sets, clusters } = selection
    const copy = structuredClone(object)
    Object.assign(copy.metadata, { name, uid: uid('placement', name), resourceVersion: nextVersion() })
    copy.spec.clusterSets = sets.map(s => s.name)
    const [group] = copy.status.decisionGroups
    Object.assign(group, { clusterCount: clusters.length, decisions: decisionNames(selection) })
    copy.status.numberOfSelectedClusters = clusters.length
    if (sets.every(s => !s.bound)) {
      const satisfied = copy.status.conditions.find(c => c.type === 'PlacementSatisfied')
      const why = unsatisfied(
        copy.spec.clusterSets,
        fleet.sets.some(s => s.bound),
      )
      Object.assign(satisfied, { lastTransitionTime: ago(15), status: 'False', ...why })
    }
    yield print(copy)
  }
}

export function* decisions({ recorded, print, fleet }) {
  const object = recorded.first('placementdecisions')
  for (const selection of selections(fleet)) {
    for (const [i, name] of decisionNames(selection).entries()) {
      const copy = structuredClone(object)
      Object.assign(copy.metadata, { name, uid: uid('decision', name), resourceVersion: nextVersion() })
      copy.metadata.labels[PLACEMENT] = selection.name
      Object.assign(copy.metadata.ownerReferences[0], { name: selection.name, uid: uid('placement', selection.name) })
      const own = selection.clusters.slice(i * PER_DECISION, (i + 1) * PER_DECISION)
      copy.status.decisions = own.map(c => ({ clusterName: c.name, reason: '' }))
      yield print(copy)
    }
  }
}

export function* gitOpsClusters({ recorded, print, fleet, namespace, ago }) {
  const copy = recorded.first('gitopsclusters')
  copy.spec.placementRef.name = ALL
  const { status } = copy
  const of = type => status.conditions.find(c => c.type === type)
  const served = fleet.clusters.filter(decided)
  for (const c of status.conditions)
    c.message = c.message.replace(/\b2 managed clusters/, `${served.length} managed clusters`)
  status.message = `Added managed clusters [${served.map(c => c.name).join(' ')}] to gitops namespace ${namespace}`
  const accountless = served.filter(c => c.accountless)
  if (accountless.length > 0) {
    // As recorded in msa-deleted: one error per cluster, and the other clusters are served all the same.
    const errors = accountless.map(
      ({ name }) =>
        `all options exhausted for managed cluster ${name}: legacy secret not found for managed cluster ${name}: secrets "${name}-application-manager-cluster-secret" not found`,
    )
    const message = `Failed to register managed clusters with ArgoCD. Please verify the managed cluster credentials and network connectivity: ${errors.join('; ')}`
    const failed = { lastTransitionTime: ago(10), reason: 'ClusterRegistrationFailed', status: 'False' }
    Object.assign(status, { message, phase: 'failed' })
    Object.assign(of('ClustersRegistered'), failed, { message })
    Object.assign(of('Ready'), failed, { message: 'One or more components have failed: ClustersRegistered' })
  }
  yield print(copy)
}
