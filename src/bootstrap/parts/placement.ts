import { UsageError } from '../../errors.ts'
import { clusters as clustersJoin, isLocalCluster } from '../../fleet/joins/clusters.ts'
import { parseSelector } from '../../fleet/placement/selector-syntax.ts'
import type { Placement, Toleration } from '../../fleet/records.ts'
import type { Wait, Want } from '../../plan/make-steps.ts'
import {
  NOT_THE_HUB,
  type PlacementInput,
  type PredicateInput,
  placement,
  TOLERATIONS,
  type TolerationInput,
} from '../../plan/manifests/placement.ts'
import type { Blueprint } from '../blueprint.ts'

/** Did the user name the hub itself among the clusters? Only the push model can deliver to it. */
function wantsTheHub({ fleet, set, model }: Blueprint): boolean {
  const { byName } = fleet.join(clustersJoin)
  const named = set?.clusters.some(name => {
    const cluster = byName.get(name)
    return cluster !== undefined && isLocalCluster(cluster)
  })
  return named === true && model === 'push'
}

/** The predicates that the settings ask for, each without the hub; undefined where they ask for none. */
function predicatesOf(blueprint: Blueprint): readonly PredicateInput[] | undefined {
  const { predicate = [], claim = [], cel = [] } = blueprint.settings
  const claims = claim.flatMap(text => parseSelector(text, '--claim'))
  const isAsked = predicate.length > 0 || claim.length > 0 || cel.length > 0
  if (!isAsked && blueprint.placement.existing !== undefined) return undefined
  const notTheHub = wantsTheHub(blueprint) ? [] : [NOT_THE_HUB]
  const alternatives = predicate.length === 0 ? [[]] : predicate.map(text => parseSelector(text, '--predicate'))
  const made = alternatives.map(labels => ({ labels: [...labels, ...notTheHub], claims, cel: [...cel] }))
  const isEmpty = made.every(p => p.labels.length === 0 && p.claims.length === 0 && p.cel.length === 0)
  return isEmpty ? [] : made
}

function raw({ key, operator, value, effect, tolerationSeconds }: Toleration): TolerationInput {
  return {
    ...(key === '' ? {} : { key }),
    operator,
    ...(value === '' ? {} : { value }),
    ...(effect === '' ? {} : { effect }),
    ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
  }
}

/** The tolerations that are there, and those of the two that are not. */
function tolerationsOf(existing: Placement | undefined): readonly TolerationInput[] {
  if (existing === undefined) return TOLERATIONS
  const there = existing.tolerations
  const covers = (key: string | undefined) =>
    there.some(t => t.operator === 'Exists' && (t.key === key || t.key === '') && t.effect === '')
  return [...there.map(raw), ...TOLERATIONS.filter(({ key }) => !covers(key))]
}

/** Sets of the Placement: those that it names, and ours. One that names none takes every bound set, and goes on so. */
function clusterSetsOf(existing: Placement | undefined, set: string): readonly string[] {
  if (existing === undefined) return [set]
  if (existing.clusterSets.length === 0) return []
  return [...new Set([...existing.clusterSets, set])]
}

/** What the Placement is to be; undefined where one that exists is used as it is. */
export function placementInput(blueprint: Blueprint): PlacementInput | undefined {
  const { argoNamespace: namespace, settings, set } = blueprint
  const { name, existing } = blueprint.placement
  const predicates = predicatesOf(blueprint)
  const { numberOfClusters } = settings
  if (set === undefined && predicates === undefined && numberOfClusters === undefined) return undefined
  if (numberOfClusters !== undefined && numberOfClusters < 1) {
    throw new UsageError('--number-of-clusters must be at least 1: a Placement that takes none deletes everything')
  }
  return {
    namespace,
    name,
    clusterSets: set === undefined ? (existing?.clusterSets ?? []) : clusterSetsOf(existing, set.name),
    ...(predicates === undefined || predicates.length === 0 ? {} : { predicates }),
    ...(numberOfClusters === undefined ? {} : { numberOfClusters }),
    tolerations: tolerationsOf(existing),
  }
}

/** The Placement in Argo CD's namespace, which GitOpsCluster and ApplicationSet share. */
export function placementPart(blueprint: Blueprint): readonly Want[] {
  const input = placementInput(blueprint)
  if (input === undefined) return []
  const { existing } = blueprint.placement
  return [
    {
      type: 'object',
      section: 'Placement',
      manifest: placement(blueprint.hub.version, input),
      // What somebody wanted of a Placement that is there (its predicates, its prioritizers) stays.
      shared: existing !== undefined,
      why: 'decides which clusters get Applications; it keeps a cluster that is silent for a while',
      ...(existing === undefined
        ? {}
        : { risk: { level: 'high', text: 'a Placement that selects less takes Applications away' } as const }),
    },
  ]
}

/** Waits until the Placement has decided on the clusters that it is expected to select. */
export function decidedWait(blueprint: Blueprint, clusters: readonly string[]): Wait {
  const { argoNamespace: namespace, placement } = blueprint
  return {
    type: 'wait',
    section: 'Placement',
    signal: { signal: 'decided', namespace, placement: placement.name, clusters },
    why: 'GitOpsCluster and ApplicationSet take their clusters from the decision',
  }
}
