import { UsageError } from '../errors.ts'
import { didYouMean } from '../ui/nearest.ts'

/** What can be waited for, by the names that kubectl users have for it: short, singular, plural. */
export type WaitKind = 'app' | 'appset' | 'placement' | 'gitopscluster' | 'fleet'

export type GoalName = 'healthy' | 'synced' | 'delivered' | 'registered' | 'ready'

const ALIASES: Readonly<Record<WaitKind, readonly string[]>> = {
  app: ['app', 'apps', 'application', 'applications'],
  appset: ['appset', 'appsets', 'applicationset', 'applicationsets'],
  placement: ['placement', 'placements'],
  gitopscluster: ['gitopscluster', 'gitopsclusters', 'goc'],
  fleet: ['fleet'],
}

const GROUPS: Readonly<Record<WaitKind, string>> = {
  app: 'argoproj.io',
  appset: 'argoproj.io',
  placement: 'cluster.open-cluster-management.io',
  gitopscluster: 'apps.open-cluster-management.io',
  fleet: '',
}

export const WAIT_KINDS: readonly WaitKind[] = ['app', 'appset', 'placement', 'gitopscluster', 'fleet']

const APP: Readonly<Partial<Record<GoalName, string>>> = {
  healthy: 'health Healthy, no sync running, and no hop of the trace broken',
  synced: 'sync status Synced, no sync running',
  delivered: 'sync status Synced, no sync running, and no hop of the trace broken',
}

/**
 * What each goal means for each kind; the status of an Application is always that of where it runs (see `appTruth`), never
 * the hub's copy of a pulled one. A pair that is not here makes no sense and is a usage error. Sources of the fields:
 * push-pull 1.4 to 1.11, agent-mode 4.5 and 4.6.
 */
export const GOALS: Readonly<Record<WaitKind, Readonly<Partial<Record<GoalName, string>>>>> = {
  app: APP,
  appset: {
    healthy: 'each Application that it has or should have is healthy; there is at least one',
    synced: 'each Application that it has or should have is synced; there is at least one',
    delivered: 'each Application that it has or should have is delivered; there is at least one',
    ready:
      'ErrorOccurred is not True, ResourcesUpToDate is not False, and it has an Application for every decided cluster, at least one',
  },
  placement: {
    ready:
      'PlacementSatisfied is True, PlacementMisconfigured is not, at least one cluster is decided, and nothing that the doctor finds makes it fail',
    registered:
      'each decided cluster, at least one, has exactly one cluster secret in every Argo CD that a GitOpsCluster of the Placement serves',
    delivered: 'each Application of the ApplicationSets that use it is delivered; there is at least one',
  },
  gitopscluster: {
    ready:
      'Ready is True (phase "successful" before ACM 2.15), written within 15 minutes, at least one cluster is decided, and nothing that the doctor finds makes it fail',
    registered: 'each cluster that its Placement decides, at least one, has exactly one cluster secret in its Argo CD',
  },
  fleet: {
    healthy: 'the doctor has no error, leaves nothing unknown, and each Application is healthy',
    synced: 'each Application is synced; there is at least one',
    delivered: 'each Application is delivered; there is at least one',
    registered: 'every GitOpsCluster has registered what its Placement decides',
    ready: 'every Placement, GitOpsCluster and ApplicationSet is ready',
  },
}

/** How many of the members must have reached the goal. */
export type Need =
  | { readonly type: 'all' }
  /** At least so many of a hundred. */
  | { readonly type: 'percent'; readonly value: number }
  | { readonly type: 'count'; readonly value: number }

export interface Goal {
  readonly kind: WaitKind
  readonly name: GoalName
  readonly need: Need
}

/** The kind that a word means, in any case and with or without version and group; undefined for another one. */
export function waitKindOf(word: string): WaitKind | undefined {
  const [name = '', ...rest] = word.toLowerCase().split('.')
  const group = rest.join('.').replace(/^v\d+((alpha|beta)\d+)?(\.|$)/, '')
  const kind = WAIT_KINDS.find(candidate => ALIASES[candidate].includes(name))
  return kind !== undefined && (group === '' || group === GROUPS[kind]) ? kind : undefined
}

function percentOf(text: string, flag: string): number {
  const value = /^(\d{1,3}(?:\.\d+)?)%$/.exec(text)?.[1]
  const number = value === undefined ? Number.NaN : Number(value)
  if (!(number > 0 && number <= 100)) {
    throw new UsageError(`invalid value "${text}" for ${flag}: expected a share above 0% and up to 100%, such as 95%`)
  }
  return number
}

/**
 * Reads `--for` and `--quorum`: `GOAL`, and for `delivered` also `delivered=95%` and `delivered=12`.
 *
 * @param names how many objects are named: a share of one object is none
 * @throws UsageError for a goal that the kind does not have, or a share of a single object
 */
export function parseGoal(kind: WaitKind, text: string, quorum: string | undefined, names: number): Goal {
  const cut = text.indexOf('=')
  const word = cut < 0 ? text : text.slice(0, cut)
  const share = cut < 0 ? undefined : text.slice(cut + 1)
  const known: string[] = Object.keys(GOALS[kind])
  const name = (Object.keys(GOALS[kind]) as GoalName[]).find(goal => goal === word.toLowerCase())
  if (name === undefined) {
    const all = new Set(Object.values(GOALS).flatMap(goals => Object.keys(goals)))
    const what = all.has(word.toLowerCase()) ? `--for ${word} says nothing about ${kind}` : `--for "${word}" is no goal`
    throw new UsageError(`${what}: expected ${known.join(', ')}${didYouMean(word, known, '')}`)
  }
  if (share !== undefined && name !== 'delivered') {
    throw new UsageError(`--for ${name} takes no value; use --quorum ${share} for a part of several objects`)
  }
  if (share !== undefined && quorum !== undefined) {
    throw new UsageError(`--for delivered=${share} and --quorum ${quorum} both say how many; give one of them`)
  }
  const isSingle = names === 1 && (kind === 'app' || (name === 'ready' && kind !== 'fleet'))
  if (isSingle && (share !== undefined || quorum !== undefined)) {
    throw new UsageError(`a part of one ${kind} cannot be ${name}; name several, or leave the share out`)
  }
  return { kind, name, need: needOf(share, quorum) }
}

function needOf(share: string | undefined, quorum: string | undefined): Need {
  if (quorum !== undefined) return { type: 'percent', value: percentOf(quorum, '--quorum') }
  if (share === undefined) return { type: 'all' }
  if (share.endsWith('%')) return { type: 'percent', value: percentOf(share, '--for delivered') }
  if (!/^[1-9]\d*$/.test(share)) {
    throw new UsageError(
      `invalid value "${share}" for --for delivered: expected a count such as 12, or a share such as 95%`,
    )
  }
  return { type: 'count', value: Number(share) }
}

/** `healthy`, `delivered=95%`, as the user wrote it. */
export function goalText({ name, need }: Goal): string {
  if (need.type === 'all' || name !== 'delivered') return name
  return need.type === 'count' ? `${name}=${need.value}` : `${name}=${need.value}%`
}
