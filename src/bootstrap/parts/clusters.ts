import { clusterSetLabel, isExclusive } from '../../fleet/placement/sets.ts'
import type { Want } from '../../plan/make-steps.ts'
import { clusterSetMember, managedClusterSet, managedClusterSetBinding } from '../../plan/manifests/cluster-set.ts'
import type { Blueprint } from '../blueprint.ts'

const SECTION = 'Clusters'

/** The set and the label of each cluster that is to be in it. */
export function clusterSetPart({ hub, fleet, set }: Blueprint): readonly Want[] {
  if (set === undefined) return []
  const existing = fleet.hub.of('ManagedClusterSet').get('', set.name)
  // A set that takes its clusters by selector is used as it is.
  const isOurs = existing === undefined || isExclusive(existing)
  const made: readonly Want[] = isOurs
    ? [
        {
          type: 'object',
          section: SECTION,
          manifest: managedClusterSet(hub.version, set.name),
          why: 'groups the clusters; a cluster joins it by label and is in one such set at a time',
        },
      ]
    : []
  const members = set.clusters.map((cluster): Want => {
    const record = fleet.hub.of('ManagedCluster').get('', cluster)
    const from = record === undefined ? undefined : clusterSetLabel(record)
    const moves = from !== undefined && from !== set.name
    return {
      type: 'object',
      section: SECTION,
      manifest: clusterSetMember(hub.version, cluster, set.name),
      shared: true,
      why: moves ? `moves ${cluster} from set ${from} to ${set.name}` : `puts ${cluster} into set ${set.name}`,
      risk: moves
        ? { level: 'high', text: `everything that selects set ${from} loses ${cluster}` }
        : { level: 'low', text: `everything that selects set ${set.name} gets ${cluster}` },
      // Whoever set the label wanted the old set; the move has a gate of its own.
      force: moves,
    }
  })
  return [...made, ...members]
}

/** The binding that lets Placements of a namespace use the set. */
export function bindingPart({ hub, argoNamespace, set }: Blueprint, namespace = argoNamespace): readonly Want[] {
  if (set === undefined) return []
  return [
    {
      type: 'object',
      section: SECTION,
      manifest: managedClusterSetBinding(hub.version, namespace, set.name),
      why: `without it no Placement of namespace ${namespace} finds a cluster of set ${set.name}`,
    },
  ]
}
