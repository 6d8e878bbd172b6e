import type { ManagedCluster, ManagedClusterSet, ManagedClusterSetBinding } from '../records.ts'
import { clusterSetLabel, isExclusive, membersOf } from './sets.ts'

/** What decides about Placements, besides themselves. Must not change while it is in use: its index is kept. */
export interface PlacementWorld {
  readonly clusters: readonly ManagedCluster[]
  readonly sets: readonly ManagedClusterSet[]
  /** Of all namespaces. */
  readonly bindings: readonly ManagedClusterSetBinding[]
  /** Epoch milliseconds. */
  readonly now: number
}

/** A world made fast to ask: each set is evaluated once, whatever the number of Placements. */
export interface WorldIndex {
  readonly clusters: ReadonlyMap<string, ManagedCluster>
  readonly sets: ReadonlyMap<string, ManagedClusterSet>
  /** Names of the bindings in a namespace. The controller judges a binding by its name, not by `.spec.clusterSet`. */
  bindingNames(namespace: string): ReadonlySet<string>
  /** Clusters of the union of sets that exist, terminating ones left out, by name. */
  available(setNames: readonly string[]): readonly ManagedCluster[]
}

const byName = (a: { readonly meta: { readonly name: string } }, b: { readonly meta: { readonly name: string } }) =>
  a.meta.name < b.meta.name ? -1 : a.meta.name > b.meta.name ? 1 : 0

const NO_NAMES: ReadonlySet<string> = new Set()

function buildIndex(world: PlacementWorld): WorldIndex {
  const clusters = [...world.clusters].sort(byName)
  const living = clusters.filter(cluster => cluster.meta.deleting === undefined)
  const sets = new Map(world.sets.map(set => [set.meta.name, set]))
  const byLabel = new Map<string, ManagedCluster[]>()
  for (const cluster of living) {
    const label = clusterSetLabel(cluster)
    if (label === undefined) continue
    const members = byLabel.get(label)
    if (members === undefined) byLabel.set(label, [cluster])
    else members.push(cluster)
  }
  const bindings = new Map<string, Set<string>>()
  for (const { meta } of world.bindings) {
    const names = bindings.get(meta.namespace)
    if (names === undefined) bindings.set(meta.namespace, new Set([meta.name]))
    else names.add(meta.name)
  }

  const members = new Map<string, readonly ManagedCluster[]>()
  const membersOfSet = (name: string): readonly ManagedCluster[] => {
    const known = members.get(name)
    if (known !== undefined) return known
    const set = sets.get(name)
    const found = set === undefined ? [] : isExclusive(set) ? (byLabel.get(name) ?? []) : membersOf(set, living)
    members.set(name, found)
    return found
  }

  const unions = new Map<string, readonly ManagedCluster[]>()
  const available = (setNames: readonly string[]): readonly ManagedCluster[] => {
    const [first, ...more] = setNames
    if (first === undefined) return []
    if (more.length === 0) return membersOfSet(first)
    const key = [...setNames].sort().join('\n')
    const known = unions.get(key)
    if (known !== undefined) return known
    const union = [...new Set(setNames.flatMap(membersOfSet))].sort(byName)
    unions.set(key, union)
    return union
  }

  return {
    clusters: new Map(clusters.map(cluster => [cluster.meta.name, cluster])),
    sets,
    bindingNames: namespace => bindings.get(namespace) ?? NO_NAMES,
    available,
  }
}

const indexes = new WeakMap<PlacementWorld, WorldIndex>()

/** The index of a world, built at first use and kept as long as the world is. */
export function indexWorld(world: PlacementWorld): WorldIndex {
  const known = indexes.get(world)
  if (known !== undefined) return known
  const index = buildIndex(world)
  indexes.set(world, index)
  return index
}
