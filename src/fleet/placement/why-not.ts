import { CLUSTER_SET_LABEL } from '../labels.ts'
import type { ManagedCluster, Placement, Taint } from '../records.ts'
import type { Schedule } from './schedule.ts'
import { selectorText } from './selector.ts'
import { clusterSetLabel, isExclusive, membership } from './sets.ts'
import { blockingTaint, taintDetail } from './taints.ts'
import type { WorldIndex } from './world.ts'

export type NotSelectedReason =
  | 'terminating'
  /** No cluster set label, and no LabelSelector set that the Placement asks for takes it. */
  | 'no-set'
  /** The cluster set label names a set that does not exist. */
  | 'unknown-set'
  | 'set-not-bound'
  | 'set-not-asked-for'
  | 'predicate'
  | 'taint'
  /** Passes every filter, but fewer clusters are wanted. */
  | 'count'
  | 'misconfigured'
  /** The controller leaves the Placement alone: annotation, or the Placement is being deleted. */
  | 'scheduling-disabled'

export interface NotSelected {
  readonly cluster: string
  readonly reason: NotSelectedReason
  /** One clause for a person, with what the cluster has and what was asked for. */
  readonly detail: string
  /** The set that the reason is about. */
  readonly set?: string
  /** The first taint that keeps the cluster out. */
  readonly taint?: Taint
}

type Why = Omit<NotSelected, 'cluster'>

/** Names of sets, those with a selector of their own followed by it. */
function setList(names: readonly string[], index: WorldIndex): string {
  return names
    .map(name => {
      const set = index.sets.get(name)
      const selector = set === undefined || isExclusive(set) ? undefined : set.labelSelector
      return selector === undefined ? name : `${name} (${selectorText(selector)})`
    })
    .join(', ')
}

function whyNotInSets(cluster: ManagedCluster, placement: Placement, sets: Schedule['sets'], index: WorldIndex): Why {
  const namespace = placement.meta.namespace
  const label = clusterSetLabel(cluster)
  const isMember = (name: string): boolean => {
    const set = index.sets.get(name)
    return set !== undefined && membership(set)(cluster)
  }
  const bound = sets.bound.length === 0 ? 'no set' : setList(sets.bound, index)
  const notBound = (set: string): Why => {
    return {
      reason: 'set-not-bound',
      set,
      detail: `its set ${set} is not bound to namespace ${namespace}, which has ${bound} bound`,
    }
  }
  const asked = sets.unbound.filter(isMember)
  const first = asked.find(name => name === label) ?? asked[0]
  if (first !== undefined) return notBound(first)
  const wanted =
    sets.asked.length === 0
      ? `namespace ${namespace} has ${bound} bound`
      : `the Placement asks for ${setList(sets.asked, index)}`
  if (label === undefined) {
    return { reason: 'no-set', detail: `it has no label ${CLUSTER_SET_LABEL}, and ${wanted}` }
  }
  if (!index.sets.has(label)) {
    const detail = `its label ${CLUSTER_SET_LABEL} names ${label}, a set that does not exist, and ${wanted}`
    return { reason: 'unknown-set', set: label, detail }
  }
  if (sets.asked.length === 0) return notBound(label)
  return { reason: 'set-not-asked-for', set: label, detail: `it is in set ${label}, and ${wanted}` }
}

interface WhyNotContext {
  readonly placement: Placement
  readonly index: WorldIndex
  readonly schedule: Schedule
  readonly available: ReadonlySet<string>
  readonly now: number
  readonly decided: ReadonlySet<string>
}

/**
 * What keeps a cluster out before anything is counted, in the scheduler's order: terminating, sets, predicates, taints.
 * Undefined for one that passes, or may pass.
 */
export function filteredOut(cluster: ManagedCluster, context: WhyNotContext): Why | undefined {
  const { placement, schedule, decided, now } = context
  if (cluster.meta.deleting !== undefined) return { reason: 'terminating', detail: 'the cluster is being deleted' }
  const { broken } = schedule.sets
  if (broken !== undefined) {
    const detail = `the selector of ManagedClusterSet ${broken.set} is invalid: ${broken.message}`
    return { reason: 'misconfigured', set: broken.set, detail }
  }
  if (!context.available.has(cluster.meta.name)) {
    return whyNotInSets(cluster, placement, schedule.sets, context.index)
  }
  const problem = schedule.misconfiguration
  const misconfigured = (): Why => ({
    reason: 'misconfigured',
    detail: `the Placement is misconfigured and selects nothing: ${problem?.message ?? ''}`,
  })
  if (problem?.stage === 'predicates') return misconfigured()
  if (schedule.predicates.matches(cluster) === false) {
    return { reason: 'predicate', detail: schedule.predicates.detail(cluster) }
  }
  if (problem?.stage === 'tolerations') return misconfigured()
  const view = { inDecision: decided.has(cluster.meta.name), now }
  const taint = blockingTaint(cluster.taints, placement.tolerations, view)
  if (taint !== undefined) return { reason: 'taint', taint, detail: taintDetail(taint, placement.tolerations, now) }
  return problem === undefined ? undefined : misconfigured()
}
