import { UsageError } from '../errors.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { clusters as clustersJoin } from '../fleet/joins/clusters.ts'
import { compileSelector } from '../fleet/placement/selector.ts'
import { parseSelector } from '../fleet/placement/selector-syntax.ts'
import { clusterSetLabel, isExclusive, membersOf } from '../fleet/placement/sets.ts'
import type { ManagedCluster } from '../fleet/records.ts'
import { didYouMean, nearest } from '../ui/nearest.ts'
import { isDnsLabel, listed } from './names.ts'
import type { Settings } from './settings.ts'

/** The set that a bootstrap works with, and the clusters that it puts there. */
export interface SetChoice {
  readonly name: string
  readonly exists: boolean
  /** Clusters that are to carry its label, sorted; empty where the set is used as it is. */
  readonly clusters: readonly string[]
}

/** The named clusters. @throws UsageError for those that are not there */
function named(fleet: Fleet, names: readonly string[]): readonly ManagedCluster[] {
  const { byName } = fleet.join(clustersJoin)
  const odd = names.find(name => !isDnsLabel(name))
  if (odd !== undefined) {
    throw new UsageError(
      `"${odd}" cannot be a managed cluster for GitOps: its name must be a DNS label (a-z, 0-9 and "-", up to 63)`,
    )
  }
  const unknown = [...new Set(names)].filter(name => !byName.has(name))
  if (unknown.length > 0) throw new UsageError(unknownClusters(unknown, [...byName.keys()].sort()))
  return [...new Set(names)].flatMap(name => byName.get(name) ?? [])
}

function unknownClusters(unknown: readonly string[], known: readonly string[]): string {
  const [only = '', ...more] = unknown
  const all = `; the hub has ${listed(known)}`
  if (more.length === 0) return `there is no managed cluster "${only}"${didYouMean(only, known, all)}`
  const near = unknown.map(name => nearest(name, known))
  const meant = near.every(name => name !== undefined) ? `; did you mean ${listed(near.map(n => `"${n}"`))}?` : all
  return `there are no managed clusters ${listed(unknown.map(name => `"${name}"`))}${meant}`
}

function matching(fleet: Fleet, selector: string): readonly ManagedCluster[] {
  const requirements = parseSelector(selector, '--selector')
  const matches = compileSelector({
    matchLabels: {},
    matchExpressions: requirements.map(r => ({ ...r, values: r.values ?? [] })),
  })
  const found = fleet.join(clustersJoin).remote.filter(cluster => matches(cluster.meta.labels))
  if (found.length > 0) return found
  throw new UsageError(`no managed cluster matches --selector "${selector}"`)
}

/** The clusters that the settings choose; empty where they choose none. */
function chosenClusters(fleet: Fleet, settings: Settings): readonly string[] {
  const chosen = [
    ...named(fleet, settings.clusters ?? []),
    ...(settings.selector === undefined ? [] : matching(fleet, settings.selector)),
  ]
  return [...new Set(chosen.map(cluster => cluster.meta.name))].sort()
}

/** The one exclusive set that all of the clusters are in already, if there is one. */
function commonSet(fleet: Fleet, names: readonly string[]): string | undefined {
  const { byName } = fleet.join(clustersJoin)
  const sets = new Set(
    names.map(name => {
      const cluster = byName.get(name)
      return cluster === undefined ? undefined : clusterSetLabel(cluster)
    }),
  )
  return sets.size === 1 ? [...sets][0] : undefined
}

/**
 * The set to use: the named one, else the one that all chosen clusters are in.
 *
 * @param mayBeEmpty a set without clusters will do
 * @param canFill the command makes the set and puts clusters into it
 * @throws UsageError where the set cannot be used as it is meant: it takes clusters by selector, or would be empty
 */
export function chooseSet(
  fleet: Fleet,
  settings: Settings,
  mayBeEmpty: boolean,
  canFill: boolean,
): SetChoice | undefined {
  const clusters = chosenClusters(fleet, settings)
  const name = settings.set ?? commonSet(fleet, clusters)
  if (name === undefined) {
    if (clusters.length === 0) return undefined
    throw new UsageError(`${listed(clusters)} are in no common ManagedClusterSet; name one for them with --set`)
  }
  // The set's name is a label value and the name of its bindings.
  if (!isDnsLabel(name)) {
    throw new UsageError(`invalid name "${name}" for --set: lower-case letters, digits and "-" only, up to 63`)
  }
  const set = fleet.hub.of('ManagedClusterSet').get('', name)
  if (set !== undefined && !isExclusive(set) && clusters.length > 0) {
    throw new UsageError(
      `ManagedClusterSet "${name}" takes its clusters by label selector, none can be put into it; leave out --clusters or name another set`,
    )
  }
  const isEmpty = (): boolean =>
    set === undefined || (!mayBeEmpty && membersOf(set, fleet.hub.of('ManagedCluster').all).length === 0)
  if (clusters.length === 0 && isEmpty()) {
    const what = set === undefined ? 'does not exist' : 'has no cluster'
    const sets = fleet.hub.of('ManagedClusterSet').all.map(s => s.meta.name)
    const meant = set === undefined ? nearest(name, sets) : undefined
    const fill = canFill
      ? 'choose clusters for it with --clusters or --selector'
      : `"bootstrap clusterset ${name} --clusters …" puts some into it`
    throw new UsageError(
      `ManagedClusterSet "${name}" ${what}; ${meant === undefined ? '' : `did you mean "${meant}"? Or `}${fill}`,
    )
  }
  return { name, exists: set !== undefined, clusters }
}
