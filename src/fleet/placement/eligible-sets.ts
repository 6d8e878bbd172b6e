import type { Placement } from '../records.ts'
import { setError } from './sets.ts'
import type { WorldIndex } from './world.ts'

/** The cluster sets that matter to a Placement. All names sorted, except `asked`. */
export interface PlacementSets {
  /** `.spec.clusterSets`; empty means every set bound to the namespace. */
  readonly asked: readonly string[]
  /** Bound to the Placement's namespace, and existing. */
  readonly bound: readonly string[]
  /** The sets that clusters are taken from: bound, and asked for where the Placement asks. */
  readonly eligible: readonly string[]
  /** Asked for, existing, not bound. */
  readonly unbound: readonly string[]
  /** Asked for, not existing. */
  readonly unknown: readonly string[]
  /** Names of bindings in the namespace whose set does not exist. */
  readonly dangling: readonly string[]
  /** First eligible set that the controller cannot evaluate, with the reason: then it fails and changes nothing. */
  readonly broken: { readonly set: string; readonly message: string } | undefined
}

/** Source: open-cluster-management-io/ocm pkg/placement/controllers/scheduling/helpers.go. */
export function placementSets(placement: Placement, index: WorldIndex): PlacementSets {
  const asked = placement.clusterSets
  const names = [...index.bindingNames(placement.meta.namespace)].sort()
  const bound = names.filter(name => index.sets.has(name))
  const eligible = asked.length === 0 ? bound : bound.filter(name => asked.includes(name))
  let broken: PlacementSets['broken']
  for (const name of eligible) {
    const set = index.sets.get(name)
    const message = set === undefined ? undefined : setError(set)
    if (message === undefined) continue
    broken = { set: name, message }
    break
  }
  const uniqueAsked = [...new Set(asked)].sort()
  return {
    asked,
    bound,
    eligible,
    unbound: uniqueAsked.filter(name => index.sets.has(name) && !bound.includes(name)),
    unknown: uniqueAsked.filter(name => !index.sets.has(name)),
    dangling: names.filter(name => !index.sets.has(name)),
    broken,
  }
}
