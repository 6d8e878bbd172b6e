import type { ManagedCluster, Placement, PrioritizerPolicy, StringMap } from '../records.ts'
import { approximateQuantity } from './quantity.ts'

/**
 * What ranks the candidates of a Placement that wants fewer than there are. Source: open-cluster-management-io/ocm
 * pkg/placement/controllers/scheduling/schedule.go and pkg/placement/plugins/{steady,resource}.
 */
const RESOURCES: Readonly<Record<string, string>> = {
  ResourceAllocatableCPU: 'cpu',
  ResourceAllocatableMemory: 'memory',
}
const BUILT_INS: ReadonlySet<string> = new Set(['Balance', 'Steady', ...Object.keys(RESOURCES)])
const ADD_ON = 'AddOn/'
const MAX_SCORE = 100

/** Weight of each prioritizer by name (`AddOn/<resource>/<score>` for scores of add-ons); zero weights are left out. */
function weightsOf(policy: PrioritizerPolicy): ReadonlyMap<string, number> {
  const weights = new Map<string, number>(
    policy.mode === 'Exact'
      ? []
      : [
          ['Balance', 1],
          ['Steady', 1],
        ],
  )
  for (const { type, builtIn, addOn, weight } of policy.configurations) {
    weights.set(type === 'BuiltIn' ? builtIn : `${ADD_ON}${addOn}`, weight)
  }
  for (const [name, weight] of weights) if (weight === 0) weights.delete(name)
  return weights
}

/** What makes the controller call the prioritizers misconfigured, in its own words; undefined for a valid policy. */
export function prioritizersError(policy: PrioritizerPolicy | undefined): string | undefined {
  if (policy === undefined) return undefined
  if (!['Exact', 'Additive', ''].includes(policy.mode)) return `incorrect prioritizer policy mode: ${policy.mode}`
  for (const name of weightsOf(policy).keys()) {
    if (name === ADD_ON) return 'addOn should not be empty'
    if (!name.startsWith(ADD_ON) && !BUILT_INS.has(name)) return `incorrect builtin prioritizer: ${name}`
  }
  return undefined
}

function amount(quantities: StringMap | undefined, resource: string): number | undefined {
  const text = quantities?.[resource]
  return text === undefined ? undefined : approximateQuantity(text)
}

/** Scores from -100 (least allocatable) to 100 (most); clusters that report nothing have none. */
function resourceScores(candidates: readonly ManagedCluster[], resource: string): ReadonlyMap<string, number> {
  const amounts = new Map<string, number>()
  for (const { meta, allocatable, capacity } of candidates) {
    const value = amount(allocatable, resource)
    if (value !== undefined && amount(capacity, resource) !== undefined) amounts.set(meta.name, value)
  }
  const values = [...amounts.values()]
  const min = Math.min(...values)
  const range = Math.max(...values) - min
  return new Map(
    [...amounts].map(([name, value]) => [
      name,
      range === 0 ? MAX_SCORE : Math.trunc(((value - min) / range - 0.5) * 2 * MAX_SCORE),
    ]),
  )
}

/**
 * The candidates in the order in which the controller takes them, or undefined where that depends on what a Placement does not
 * show: decisions of other Placements at that moment (Balance), scores of add-ons, resources that the records do not hold.
 */
export function rank(
  placement: Placement,
  candidates: readonly ManagedCluster[],
  decided: ReadonlySet<string>,
): readonly ManagedCluster[] | undefined {
  if (placement.prioritizerPolicy === undefined) return undefined
  const total = new Map(candidates.map(cluster => [cluster.meta.name, 0]))
  for (const [name, weight] of weightsOf(placement.prioritizerPolicy)) {
    const resource = RESOURCES[name]
    if (name !== 'Steady' && resource === undefined) return undefined
    if (resource !== undefined && candidates.some(c => c.allocatable === undefined || c.capacity === undefined)) {
      return undefined
    }
    const scores =
      resource === undefined
        ? new Map([...total.keys()].map(n => [n, decided.has(n) ? MAX_SCORE : 0]))
        : resourceScores(candidates, resource)
    for (const [cluster, score] of scores) total.set(cluster, (total.get(cluster) ?? 0) + score * weight)
  }
  const score = (cluster: ManagedCluster): number => total.get(cluster.meta.name) ?? 0
  // candidates come sorted by name, which decides between equals
  return [...candidates].sort((a, b) => score(b) - score(a))
}
