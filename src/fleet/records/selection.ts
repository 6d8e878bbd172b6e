import type { Base, Condition, LabelExpression, LabelSelector, StringMap } from './base.ts'

export interface Taint {
  readonly key: string
  readonly value: string
  readonly effect: string
  readonly timeAdded: number | undefined
}

export interface ManagedCluster extends Base {
  readonly accepted: boolean
  readonly leaseDurationSeconds: number | undefined
  readonly clientConfigUrls: readonly string[]
  readonly taints: readonly Taint[]
  readonly claims: StringMap
  readonly kubernetesVersion: string
  readonly conditions: readonly Condition[]
  /** `.status.capacity`, quantities as written. Prioritizers and CEL predicates of Placements look at it; absent where not kept. */
  readonly capacity?: StringMap
  /** `.status.allocatable`, as `capacity`. */
  readonly allocatable?: StringMap
}

export interface ManagedClusterSet extends Base {
  readonly selectorType: string
  readonly labelSelector: LabelSelector | undefined
  readonly conditions: readonly Condition[]
}

export interface ManagedClusterSetBinding extends Base {
  readonly clusterSet: string
  readonly conditions: readonly Condition[]
}

export interface Toleration {
  readonly key: string
  readonly operator: string
  readonly value: string
  readonly effect: string
  readonly tolerationSeconds: number | undefined
}

export interface ClusterPredicate {
  readonly labelSelector: LabelSelector | undefined
  readonly claimExpressions: readonly LabelExpression[]
  readonly celExpressions: readonly string[]
}

/** `.spec.prioritizerPolicy`: what ranks the clusters where a Placement wants fewer than match. */
export interface PrioritizerPolicy {
  /** `Additive` (the default: Balance and Steady count too) or `Exact`. */
  readonly mode: string
  readonly configurations: readonly {
    /** `BuiltIn` or `AddOn`. */
    readonly type: string
    readonly builtIn: string
    /** `<resourceName>/<scoreName>` of an AddOn coordinate, else empty. */
    readonly addOn: string
    readonly weight: number
  }[]
}

/** An entry of `.spec.decisionStrategy.groupStrategy.decisionGroups`. */
export interface DecisionGroup {
  readonly name: string
  readonly labelSelector: LabelSelector | undefined
  readonly claimExpressions: readonly LabelExpression[]
}

export interface Placement extends Base {
  readonly clusterSets: readonly string[]
  readonly numberOfClusters: number | undefined
  readonly predicates: readonly ClusterPredicate[]
  readonly tolerations: readonly Toleration[]
  /** Absent where not kept; then its settings are taken as valid. */
  readonly prioritizerPolicy: PrioritizerPolicy
  /** Absent where not kept; then they are taken as valid. */
  readonly decisionGroups: readonly DecisionGroup[]
  readonly conditions: readonly Condition[]
  readonly numberOfSelectedClusters: number | undefined
}

export interface PlacementDecision extends Base {
  readonly placement: string
  readonly clusterNames: readonly string[]
}
