import { OUTAGE_TAINTS } from '../../fleet/labels.ts'
import type { Manifest } from '../object.ts'
import type { ApiVersionOf } from './served.ts'

/** A requirement of a label or claim selector. */
export interface Requirement {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  readonly values?: readonly string[]
}

/** One predicate: all of its parts must hold. Several predicates are alternatives. */
export interface PredicateInput {
  readonly labels?: readonly Requirement[]
  readonly claims?: readonly Requirement[]
  readonly cel?: readonly string[]
}

export interface PlacementInput {
  readonly namespace: string
  readonly name: string
  /** Empty: every set that is bound to the namespace. */
  readonly clusterSets: readonly string[]
  /** Undefined leaves the predicates of a Placement that exists as they are. */
  readonly predicates?: readonly PredicateInput[]
  readonly numberOfClusters?: number
  /** Default: the two that GitOps needs. */
  readonly tolerations?: readonly TolerationInput[]
}

export interface TolerationInput {
  readonly key?: string
  readonly operator: string
  readonly value?: string
  readonly effect?: string
  readonly tolerationSeconds?: number
}

/** Without them a hiccup of a cluster takes its Applications away (push-pull.md 1.8). */
export const TOLERATIONS: readonly TolerationInput[] = OUTAGE_TAINTS.map(key => ({
  key,
  operator: 'Exists',
}))

/** Keeps the hub itself out: an add-on Placement that selects it is rejected (push-pull.md 5, point 15). */
export const NOT_THE_HUB: Requirement = { key: 'local-cluster', operator: 'NotIn', values: ['true'] }

function requirement({ key, operator, values }: Requirement): Record<string, unknown> {
  return { key, operator, ...(values === undefined ? {} : { values: [...values] }) }
}

function predicate({ labels = [], claims = [], cel = [] }: PredicateInput): Record<string, unknown> {
  return {
    requiredClusterSelector: {
      ...(labels.length === 0 ? {} : { labelSelector: { matchExpressions: labels.map(requirement) } }),
      ...(claims.length === 0 ? {} : { claimSelector: { matchExpressions: claims.map(requirement) } }),
      ...(cel.length === 0 ? {} : { celSelector: { celExpressions: [...cel] } }),
    },
  }
}

/** A Placement for GitOps: it keeps clusters that are silent for a while. */
export function placement(version: ApiVersionOf, input: PlacementInput): Manifest {
  const { namespace, name, clusterSets, predicates, numberOfClusters, tolerations = TOLERATIONS } = input
  return {
    apiVersion: version('Placement'),
    kind: 'Placement',
    metadata: { name, namespace },
    spec: {
      ...(clusterSets.length === 0 ? {} : { clusterSets: [...clusterSets] }),
      ...(numberOfClusters === undefined ? {} : { numberOfClusters }),
      ...(predicates === undefined ? {} : { predicates: predicates.map(predicate) }),
      tolerations: tolerations.map(toleration => ({ ...toleration })),
    },
  }
}
