import type { ManagedCluster, Placement } from '../records.ts'
import type { CelCompiler } from './cel.ts'
import { type PlacementSets, placementSets } from './eligible-sets.ts'
import { compilePredicates, type PredicateFilter } from './predicates.ts'
import { prioritizersError, rank } from './prioritizers.ts'
import { blockingTaint, tolerationsError } from './taints.ts'
import type { WorldIndex } from './world.ts'

/** A step at which the controller gives up on a Placement, selecting nothing from there on. */
type Stage = 'predicates' | 'tolerations' | 'prioritizers'

interface Misconfiguration {
  readonly stage: Stage
  /** `<plugin>:<text>`, as in the condition. */
  readonly message: string
}

/** The scheduler's way through one Placement, step by step. Lists of clusters are sorted by name. */
export interface Schedule {
  readonly sets: PlacementSets
  /** Members of eligible sets that are not terminating. */
  readonly available: readonly ManagedCluster[]
  readonly predicates: PredicateFilter
  readonly misconfiguration: Misconfiguration | undefined
  /** Surely pass predicates and taints. */
  readonly passing: readonly ManagedCluster[]
  /** May pass: a CEL expression decides that cannot be evaluated. */
  readonly maybe: readonly ManagedCluster[]
  /** What is selected, undefined where it cannot be told. */
  readonly selected: readonly ManagedCluster[] | undefined
  /** Why `selected` cannot be told, for a person. */
  readonly doubts: readonly string[]
  /** False where a CEL expression that cannot be evaluated decides about the conditions. */
  readonly conditionsKnown: boolean
}

interface Filtered {
  readonly passing: readonly ManagedCluster[]
  readonly maybe: readonly ManagedCluster[]
}

function applyPredicates(predicates: PredicateFilter, available: readonly ManagedCluster[]): Filtered {
  const passing: ManagedCluster[] = []
  const maybe: ManagedCluster[] = []
  for (const cluster of available) {
    const result = predicates.matches(cluster)
    if (result === true) passing.push(cluster)
    else if (result === undefined) maybe.push(cluster)
  }
  return { passing, maybe }
}

/**
 * The first thing that is wrong with the Placement, if the scheduler comes to look at it: predicates are validated only when
 * there are clusters, tolerations only when clusters are left.
 */
function misconfigurationOf(
  placement: Placement,
  predicates: PredicateFilter,
  available: number,
  matching: number,
): Misconfiguration | undefined {
  if (available > 0 && predicates.error !== undefined) {
    return { stage: 'predicates', message: `Predicate:${predicates.error}` }
  }
  const tolerations = matching > 0 ? tolerationsError(placement.tolerations) : undefined
  if (tolerations !== undefined) return { stage: 'tolerations', message: `TaintToleration:${tolerations}` }
  const prioritizers = prioritizersError(placement.prioritizerPolicy)
  // the controller names no plugin here
  return prioritizers === undefined ? undefined : { stage: 'prioritizers', message: `:${prioritizers}` }
}

/** The clusters taken, undefined when that cannot be told. `most` is how many pass at the most. */
function choose(placement: Placement, passing: readonly ManagedCluster[], most: number, decided: ReadonlySet<string>) {
  const wanted = placement.numberOfClusters
  if (wanted === undefined || wanted >= most) return passing
  if (wanted === 0) return []
  // a negative number crashes the scheduler
  return wanted < 0 || passing.length < most ? undefined : rank(placement, passing, decided)?.slice(0, wanted)
}

/** Runs one Placement through the steps of the scheduler, in its order (see `Schedule`). */
export function schedule(
  placement: Placement,
  index: WorldIndex,
  options: { readonly now: number; readonly decided: ReadonlySet<string>; readonly cel: CelCompiler },
): Schedule {
  const { now, decided, cel } = options
  const sets = placementSets(placement, index)
  const available = sets.broken === undefined ? index.available(sets.eligible) : []
  const predicates = compilePredicates(placement.predicates, cel)
  const matching = applyPredicates(predicates, available)
  const matchingMost = matching.passing.length + matching.maybe.length
  const misconfiguration = misconfigurationOf(placement, predicates, available.length, matchingMost)
  const celKnown = available.length === 0 || (predicates.unknown === undefined && matching.maybe.length === 0)
  const base = { sets, available, predicates, misconfiguration }
  if (misconfiguration !== undefined) {
    const conditionsKnown = celKnown || misconfiguration.stage === 'predicates'
    return { ...base, passing: [], maybe: [], selected: [], doubts: [], conditionsKnown }
  }

  const tolerated = (cluster: ManagedCluster): boolean => {
    const view = { inDecision: decided.has(cluster.meta.name), now }
    return blockingTaint(cluster.taints, placement.tolerations, view) === undefined
  }
  const passing = matching.passing.filter(tolerated)
  const maybe = matching.maybe.filter(tolerated)
  const most = passing.length + maybe.length
  const doubts: string[] = []
  if (predicates.unknown !== undefined && most > 0) doubts.push(predicates.unknown)
  else if (maybe.length > 0) doubts.push('a CEL expression asks for what is not known of some clusters')
  const selected = choose(placement, passing, most, decided)
  if (selected === undefined) {
    doubts.push(`${most} clusters match, numberOfClusters is ${placement.numberOfClusters}, and prioritizers choose`)
  }
  return {
    ...base,
    passing,
    maybe,
    selected: doubts.length === 0 ? selected : undefined,
    doubts,
    conditionsKnown: celKnown,
  }
}
