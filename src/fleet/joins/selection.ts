import { defineJoin, type Fleet } from '../fleet.ts'
import { getOrAdd, groupBy, pushTo } from '../maps.ts'
import type { ManagedClusterSetBinding, Placement, PlacementDecision } from '../records.ts'

/** A Placement with what it decided: the union of all its PlacementDecisions (push-pull.md 1.5, 100 clusters each). */
export interface Decided {
  readonly placement: Placement
  readonly decisions: readonly PlacementDecision[]
  readonly clusters: ReadonlySet<string>
}

interface Selection {
  /** By `namespace/name` of the Placement. */
  readonly byPlacement: ReadonlyMap<string, Decided>
  /** Decisions whose Placement is gone, by `namespace/name` of that Placement. */
  readonly orphans: ReadonlyMap<string, readonly PlacementDecision[]>
  /** Clusters that any PlacementDecision of a namespace lists: what the propagation gate asks (push-pull.md 1.10, gate 7). */
  readonly decidedIn: ReadonlyMap<string, ReadonlySet<string>>
  readonly bindingsIn: ReadonlyMap<string, readonly ManagedClusterSetBinding[]>
}

/** `namespace/name`, by which the joins know a Placement. */
export function placementKey(namespace: string, name: string): string {
  return `${namespace}/${name}`
}

export const selection = defineJoin<Selection>(
  { hub: ['Placement', 'PlacementDecision', 'ManagedClusterSetBinding'] },
  fleet => {
    const decisions = groupBy(fleet.hub.of('PlacementDecision').all, d => placementKey(d.meta.namespace, d.placement))
    const byPlacement = new Map<string, Decided>()
    for (const placement of fleet.hub.of('Placement').all) {
      const key = placementKey(placement.meta.namespace, placement.meta.name)
      const own = decisions.get(key) ?? []
      byPlacement.set(key, { placement, decisions: own, clusters: new Set(own.flatMap(d => d.clusterNames)) })
    }
    const decidedIn = new Map<string, Set<string>>()
    const orphans = new Map<string, PlacementDecision[]>()
    for (const [key, list] of decisions) {
      for (const d of list) {
        const names = getOrAdd(decidedIn, d.meta.namespace, () => new Set<string>())
        for (const name of d.clusterNames) names.add(name)
        if (!byPlacement.has(key)) pushTo(orphans, key, d)
      }
    }
    const bindingsIn = groupBy(fleet.hub.of('ManagedClusterSetBinding').all, b => b.meta.namespace)
    return { byPlacement, orphans, decidedIn, bindingsIn }
  },
)

/** Clusters that any PlacementDecision lists, in whatever namespace. */
export function decidedAnywhere(fleet: Fleet): ReadonlySet<string> {
  return new Set([...fleet.join(selection).decidedIn.values()].flatMap(names => [...names]))
}
