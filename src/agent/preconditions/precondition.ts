import type { ClusterView } from '../../fleet/fleet.ts'
import type { KindName } from '../../fleet/kinds.ts'
import { type AgentHub, unseen } from '../hub.ts'

/** Something that must hold before a hub is switched, with what shows it (agent-mode.md 2.1). */
export interface Precondition {
  /** Stable name for scripts. */
  readonly code: string
  /** As a fact. */
  readonly title: string
  /** What it means when it does not hold: nothing is written, or the user is warned. */
  readonly weight: 'blocks' | 'warns'
  readonly state: 'ok' | 'failed' | 'unknown'
  /** What was seen, and where. */
  readonly seen: string
  /** What to do; empty where there is nothing to do. */
  readonly todo: string
}

export type Verdict = Pick<Precondition, 'state' | 'seen'> & { readonly todo?: string }

export interface PreconditionCheck extends Pick<Precondition, 'code' | 'title' | 'weight'> {
  judge(hub: AgentHub): Verdict
}

export const ok = (seen: string): Verdict => ({ state: 'ok', seen })
export const failed = (seen: string, todo: string): Verdict => ({ state: 'failed', seen, todo })
export const unknown = (seen: string, todo = ''): Verdict => ({ state: 'unknown', seen, todo })

/** A verdict that stands only where all of these kinds were read. */
export function ifSeen(view: ClusterView, kinds: readonly KindName[], verdict: () => Verdict): Verdict {
  const gap = unseen(view, ...kinds)
  return gap === undefined ? verdict() : unknown(gap)
}

/** The same for what is about the clusters that get an agent: without a choice nothing can be said. */
export function ofClusters({ clusters }: AgentHub, verdict: () => Verdict): Verdict {
  return clusters.length > 0
    ? verdict()
    : unknown('no clusters are chosen yet', 'choose them with --placement, or --set and --clusters')
}
