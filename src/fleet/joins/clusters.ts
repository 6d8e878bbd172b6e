import { defineJoin } from '../fleet.ts'
import { indexBy } from '../maps.ts'
import type { Condition, ManagedCluster } from '../records.ts'

/** Condition types of a ManagedCluster (push-pull.md 1.1). */
export const ACCEPTED = 'HubAcceptedManagedCluster'
export const JOINED = 'ManagedClusterJoined'
export const AVAILABLE = 'ManagedClusterConditionAvailable'

/** The condition of a type; undefined where the object has none. */
export function condition(of: { readonly conditions: readonly Condition[] }, type: string): Condition | undefined {
  for (const c of of.conditions) if (c.type === type) return c
  return undefined
}

/** Is the condition there and True? */
export function isTrue(of: { readonly conditions: readonly Condition[] }, type: string): boolean {
  return condition(of, type)?.status === 'True'
}

/** Is the condition there and False? One that is absent or Unknown is neither. */
export function isFalse(of: { readonly conditions: readonly Condition[] }, type: string): boolean {
  return condition(of, type)?.status === 'False'
}

/** The hub as a managed cluster of its own: the label decides, then the default name (mci gitopscluster_controller.go IsLocalCluster). */
export function isLocalCluster(cluster: ManagedCluster): boolean {
  const label = cluster.meta.labels['local-cluster']
  return label === undefined ? cluster.meta.name === 'local-cluster' : label === 'true'
}

interface Clusters {
  readonly byName: ReadonlyMap<string, ManagedCluster>
  /** Managed clusters other than the hub itself. */
  readonly remote: readonly ManagedCluster[]
  /** Name under which the hub manages itself; empty where it does not. */
  readonly localName: string
}

export const clusters = defineJoin<Clusters>({ hub: ['ManagedCluster'] }, fleet => {
  const all = fleet.hub.of('ManagedCluster').all
  return {
    byName: indexBy(all, c => c.meta.name),
    remote: all.filter(c => !isLocalCluster(c)),
    localName: all.find(isLocalCluster)?.meta.name ?? '',
  }
})

/** Is the cluster one whose own reports can be believed: accepted, joined and Available=True. */
export function isReporting(cluster: ManagedCluster | undefined): boolean {
  return cluster !== undefined && isTrue(cluster, AVAILABLE)
}
