import type { Change, WatchPlan } from '../../kube/fleet-watch.ts'
import type { Goal } from '../../wait/goals.ts'
import type { Target } from '../../wait/judge.ts'

const SELECTION = [
  'ManagedCluster',
  'ManagedClusterSet',
  'ManagedClusterSetBinding',
  'Placement',
  'PlacementDecision',
  'GitOpsCluster',
  'ManagedServiceAccount',
  'ManagedClusterAddOn',
] as const

/**
 * The kinds of the chain. What every cluster is full of (Secrets, Pods, RBAC) is not watched: the right to watch them over the
 * whole cluster is too much to ask, and the interval brings what they bring.
 */
export const CHAIN: WatchPlan = {
  hub: [...SELECTION, 'ApplicationSet', 'Application', 'AppProject', 'ArgoCD', 'ManifestWork'],
  spoke: ['Application', 'AppliedManifestWork', 'AppProject', 'ArgoCD'],
}

/** The kinds whose changes can bring a goal nearer. */
export function planOf({ name }: Goal): WatchPlan {
  if (name === 'registered') return { hub: SELECTION, spoke: [] }
  return name === 'ready' ? { hub: [...SELECTION, 'ApplicationSet', 'Application'], spoke: [] } : CHAIN
}

/** Which changes matter: of Applications and ManifestWorks, which are many, only those of the Applications that are named. */
export function concernsOf({ kind }: Goal, targets: readonly Target[]): (change: Change) => boolean {
  if (kind !== 'app') return () => true
  const names = new Set(targets.map(t => t.name))
  return change => {
    if (change.kind === 'Application') return names.has(change.name)
    // A ManifestWork is called as its Application, with five characters of its uid behind (push-pull 1.10).
    if (change.kind === 'ManifestWork') return names.has(change.name.replace(/-[^-]{1,5}$/, ''))
    return true
  }
}
