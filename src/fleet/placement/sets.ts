import { CLUSTER_SET_LABEL } from '../labels.ts'
import type { ManagedCluster, ManagedClusterSet } from '../records.ts'
import { compileSelector, selectorError } from './selector.ts'

/** The value of the cluster set label; undefined without the label. Nothing says that a set of that name exists. */
export function clusterSetLabel(cluster: ManagedCluster): string | undefined {
  return cluster.meta.labels[CLUSTER_SET_LABEL]
}

/** Is it a set of clusters that carry its name as a label? Without a type it is: that is the default of the API. */
export function isExclusive(set: ManagedClusterSet): boolean {
  return set.selectorType === '' || set.selectorType === 'ExclusiveClusterSetLabel'
}

/** Why the set's selector cannot be evaluated; the controllers fail on such a set. Undefined for a usable one. */
export function setError(set: ManagedClusterSet): string | undefined {
  if (isExclusive(set)) return undefined
  if (set.selectorType !== 'LabelSelector') return `selectorType is not right: ${set.selectorType}`
  return set.labelSelector === undefined ? undefined : selectorError(set.labelSelector)
}

/**
 * Test of membership in a set, terminating clusters included (open-cluster-management-io/sdk-go
 * pkg/apis/cluster/v1beta2/managedclusterset.go BuildClusterSelector). A `LabelSelector` set without a selector is empty, one
 * with an empty selector holds every cluster.
 */
export function membership(set: ManagedClusterSet): (cluster: ManagedCluster) => boolean {
  if (isExclusive(set)) return cluster => clusterSetLabel(cluster) === set.meta.name
  const matches = setError(set) === undefined ? compileSelector(set.labelSelector) : () => false
  return cluster => matches(cluster.meta.labels)
}

/** The clusters of a set. */
export function membersOf(set: ManagedClusterSet, clusters: readonly ManagedCluster[]): readonly ManagedCluster[] {
  return clusters.filter(membership(set))
}
