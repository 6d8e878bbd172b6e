import { SCHEDULING_DISABLED } from '../labels.ts'
import type { ManagedCluster, Placement } from '../records.ts'
import { type CelCompiler, noCel } from './cel.ts'
import { type ExpectedCondition, misconfiguredCondition, NO_CONDITION, satisfiedCondition } from './conditions.ts'
import { groupProblem } from './decision-groups.ts'
import { type Schedule, schedule } from './schedule.ts'
import { filteredOut, type NotSelected } from './why-not.ts'
import { indexWorld, type PlacementWorld } from './world.ts'

export interface PlacementExplanation {
  /** When certain: what the controller selects. Else: those that it surely selects. Sorted. */
  readonly selected: readonly string[]
  /** Pass every filter, or may pass where `certain` is false. Sorted. */
  readonly candidates: readonly string[]
  /**
   * Every cluster of the world that is surely not selected, by name; where prioritizers choose, those that the decision
   * leaves out. Put together when first read.
   */
  readonly notSelected: readonly NotSelected[]
  /** The entry of `notSelected` for one cluster; undefined for one that is selected, or may be, or is unknown. */
  whyNot(cluster: string): NotSelected | undefined
  /** False where prioritizers choose, or a CEL expression that cannot be evaluated. */
  readonly certain: boolean
  /** How many of `candidates` prioritizers choose, where nothing else is open; undefined otherwise. */
  readonly chooses: number | undefined
  /** Why not certain, for a person. */
  readonly doubts: readonly string[]
  /**
   * The controller does not act on this Placement: its decision stays what it is, whatever changes, and no condition says so.
   * In words; undefined for a Placement that is scheduled.
   */
  readonly frozen: string | undefined
  /** What PlacementSatisfied ought to say. */
  readonly satisfied: ExpectedCondition
  /** What PlacementMisconfigured ought to say. The text after `compilation failed: ` (CEL) is not the controller's. */
  readonly misconfigured: ExpectedCondition
  /** Sets that clusters are taken from. */
  readonly eligibleSets: readonly string[]
  /** Existing sets that are bound to the namespace. */
  readonly boundSets: readonly string[]
  /** Asked for, existing, not bound. */
  readonly unboundSets: readonly string[]
  /** Asked for, not existing. */
  readonly unknownSets: readonly string[]
  /** Bindings in the namespace whose set does not exist. */
  readonly danglingBindings: readonly string[]
}

interface ExplainOptions {
  /** Clusters in the decision now, which `NoSelectIfNew` taints spare. Default: none, as for a new Placement. */
  readonly decided?: ReadonlySet<string>
  /** Evaluator of CEL expressions, from `loadCel`. Without it a Placement with CEL expressions is not certain. */
  readonly cel?: CelCompiler
}

const NONE: ReadonlySet<string> = new Set()

const namesOf = (clusters: readonly ManagedCluster[]): string[] => clusters.map(c => c.meta.name).sort()

function frozenBy(placement: Placement, { sets }: Schedule): string | undefined {
  if (placement.meta.deleting !== undefined) return 'the Placement is being deleted'
  if (placement.meta.annotations[SCHEDULING_DISABLED] === 'true') {
    return `annotation ${SCHEDULING_DISABLED} switches scheduling off`
  }
  return sets.broken === undefined
    ? undefined
    : `the selector of ManagedClusterSet ${sets.broken.set} is invalid: ${sets.broken.message}`
}

/** How many of those that pass prioritizers choose; undefined where all are taken, or more than that is open. */
function chosenByPrioritizers(placement: Placement, plan: Schedule): number | undefined {
  const { numberOfClusters: wanted } = placement
  if (plan.selected !== undefined || plan.maybe.length > 0 || plan.predicates.unknown !== undefined) return undefined
  return wanted !== undefined && wanted > 0 && wanted < plan.passing.length ? wanted : undefined
}

/** How many clusters are surely selected or chosen by count, for the condition; undefined where CEL leaves it open. */
function selectedCount(placement: Placement, plan: Schedule): number | undefined {
  if (plan.selected !== undefined) return plan.selected.length
  return plan.conditionsKnown ? placement.numberOfClusters : undefined
}

function expectedSatisfied(placement: Placement, plan: Schedule): ExpectedCondition {
  const selected = plan.conditionsKnown || plan.selected?.length === 0 ? selectedCount(placement, plan) : undefined
  if (selected === undefined || selected < 0) return NO_CONDITION
  const unscheduled =
    plan.misconfiguration === undefined && placement.numberOfClusters !== undefined
      ? placement.numberOfClusters - selected
      : 0
  return satisfiedCondition(plan.sets, { available: plan.available.length, selected, unscheduled })
}

/**
 * What OCM's placement controller makes of a Placement in a world: which clusters it selects, why not the others, and what
 * its conditions ought to say. Nothing is read from the Placement's status.
 */
export function explainPlacement(
  placement: Placement,
  world: PlacementWorld,
  { decided = NONE, cel = noCel }: ExplainOptions = {},
): PlacementExplanation {
  const index = indexWorld(world)
  const plan = schedule(placement, index, { now: world.now, decided, cel })
  const frozen = frozenBy(placement, plan)
  const groups = groupProblem(placement)
  const scheduled = plan.selected ?? (fits(placement, plan) ? plan.passing : [])
  const kept = groups === undefined ? scheduled : scheduled.filter(groups.kept)
  const selected = frozen === undefined ? namesOf(kept) : [...decided].sort()
  const chosen = new Set(selected)
  const available = new Set(plan.available.map(cluster => cluster.meta.name))
  const context = { placement, index, schedule: plan, available, now: world.now, decided }

  const whyNot = (name: string): NotSelected | undefined => {
    const cluster = index.clusters.get(name)
    if (cluster === undefined || chosen.has(name)) return undefined
    const why = filteredOut(cluster, context)
    if (why !== undefined) return { cluster: name, ...why }
    if (frozen !== undefined) return { cluster: name, reason: 'scheduling-disabled', detail: frozen }
    if (groups !== undefined && !groups.kept(cluster)) {
      const detail = `a decision group of the Placement is misconfigured: ${groups.message}`
      return { cluster: name, reason: 'misconfigured', detail }
    }
    if (plan.selected === undefined && (decided.has(name) || !decidedByCount(placement, plan, decided)))
      return undefined
    const detail = `${plan.passing.length} clusters match, and numberOfClusters is ${placement.numberOfClusters}`
    return { cluster: name, reason: 'count', detail }
  }

  let notSelected: readonly NotSelected[] | undefined
  const problem = groups?.message ?? plan.misconfiguration?.message
  const settled = frozen === undefined && (plan.conditionsKnown || groups !== undefined)
  return {
    selected,
    candidates: namesOf([...plan.passing, ...plan.maybe]),
    get notSelected() {
      notSelected ??= [...index.clusters.keys()].map(whyNot).filter(entry => entry !== undefined)
      return notSelected
    },
    whyNot,
    certain: frozen !== undefined || plan.doubts.length === 0,
    chooses: frozen === undefined && groups === undefined ? chosenByPrioritizers(placement, plan) : undefined,
    doubts: frozen === undefined ? plan.doubts : [],
    frozen,
    satisfied: frozen === undefined ? expectedSatisfied(placement, plan) : NO_CONDITION,
    misconfigured: settled ? misconfiguredCondition(problem) : NO_CONDITION,
    eligibleSets: plan.sets.eligible,
    boundSets: plan.sets.bound,
    unboundSets: plan.sets.unbound,
    unknownSets: plan.sets.unknown,
    danglingBindings: plan.sets.dangling,
  }
}

/**
 * Whether those that pass for sure are selected for sure, although others may or may not pass: all fit into
 * `.spec.numberOfClusters`, and no expression can turn out to be invalid.
 */
function fits(placement: Placement, { passing, maybe, predicates }: Schedule): boolean {
  const { numberOfClusters: wanted } = placement
  return predicates.unknown === undefined && (wanted === undefined || passing.length + maybe.length <= wanted)
}

/** Whether the decision is one that prioritizers can have chosen: then what it leaves out is out because of the count. */
function decidedByCount(placement: Placement, plan: Schedule, decided: ReadonlySet<string>): boolean {
  const taken = plan.passing.filter(cluster => decided.has(cluster.meta.name)).length
  return plan.maybe.length === 0 && taken === placement.numberOfClusters
}
