import type { HubFacts } from '../bootstrap/hub.ts'
import type { ClusterView, Fleet } from '../fleet/fleet.ts'
import { type KindName, resourceName } from '../fleet/kinds.ts'
import type { ArgoCD } from '../fleet/records.ts'
import type { RawObject } from '../raw.ts'
import type { SetUp } from './choices.ts'

/** The hub as a switch to agents sees it. */
export interface AgentHub {
  readonly fleet: Fleet
  readonly facts: HubFacts
  readonly setup: SetUp
  /** Namespace of the Argo CD that deploys today. */
  readonly argoNamespace: string
  /** Namespace of the principal: the same, but for the dedicated set-up. */
  readonly agentNamespace: string
  /** Its ArgoCD resource; undefined where the operator does not run it, or where that could not be read. */
  readonly argo: ArgoCD | undefined
  /** The same as the cluster gave it, for fields that no check looks at. */
  readonly rawArgo: RawObject | undefined
  /** Placement that decides about the agents; empty where none was chosen. */
  readonly placement: string
  /** Clusters that get an agent; empty where none were chosen. */
  readonly clusters: readonly string[]
  /** Who keeps ArgoCD and Subscription as they are, one clause each. */
  readonly owners: readonly string[]
}

/** Why not all is known of the kinds; undefined where it is. */
export function unseen(view: ClusterView, ...kinds: readonly KindName[]): string | undefined {
  const gaps = kinds.flatMap(kind => {
    if (view.knows(kind)) return []
    const coverage = view.coverage(kind)
    const reason = coverage.state === 'not-served' ? undefined : coverage.reason
    return [`${resourceName(kind)}: ${reason ?? 'read in part only'}`]
  })
  return gaps.length === 0 ? undefined : gaps.join('; ')
}

/** Name of the principal's objects (agent-mode.md 1.3). */
export function principalName(argo: string): string {
  return `${argo}-agent-principal`
}

/** Service of the Redis proxy: the name of the instance is cut to 36 characters in it. */
export function redisProxyName(argo: string): string {
  return `${argo.slice(0, 36)}-agent-principal-redisproxy`
}
