import { defineJoin } from '../fleet.ts'
import { getOrAdd } from '../maps.ts'
import { explainPlacement, type PlacementExplanation } from '../placement/explain.ts'
import { placementKey, selection } from './selection.ts'

interface Placements {
  /** What the controller ought to make of a Placement; worked out when first asked for. Undefined where there is none. */
  explain(namespace: string, name: string): PlacementExplanation | undefined
}

export const placements = defineJoin<Placements>(
  { hub: ['ManagedCluster', 'ManagedClusterSet', 'ManagedClusterSetBinding', 'Placement', 'PlacementDecision'] },
  fleet => {
    const { byPlacement } = fleet.join(selection)
    const world = {
      clusters: fleet.hub.of('ManagedCluster').all,
      sets: fleet.hub.of('ManagedClusterSet').all,
      bindings: fleet.hub.of('ManagedClusterSetBinding').all,
      now: fleet.now,
    }
    const known = new Map<string, PlacementExplanation>()
    return {
      explain(namespace, name) {
        const key = placementKey(namespace, name)
        const found = byPlacement.get(key)
        if (found === undefined) return undefined
        return getOrAdd(known, key, () =>
          explainPlacement(found.placement, world, { decided: found.clusters, cel: fleet.tools.cel }),
        )
      },
    }
  },
)
