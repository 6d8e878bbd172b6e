import type { API_VERSION, SourceInfo } from '../checks/report.ts'
import type { Subject } from '../fleet/subject.ts'
import type { Action, PlanNote } from '../plan/plan.ts'
import type { SetUp } from './choices.ts'
import type { FrozenApplication } from './frozen.ts'
import type { Precondition } from './preconditions/precondition.ts'

/**
 * What a switch of a hub to agents needs, does, and would stop, as scripts see it. Nothing is written by it. Fields are
 * only ever added within v1.
 */
export interface AgentPlan {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'AgentPlan'
  readonly version: string
  readonly source: SourceInfo
  /** Set-up that the plan is for. */
  readonly setup: SetUp
  readonly recommended: { readonly setup: SetUp; readonly reason: string }
  readonly setups: readonly SetUpVerdict[]
  readonly hub: {
    readonly flavour: string
    readonly argoNamespace: string
    /** Name of the ArgoCD resource; empty where there is none. */
    readonly argocd: string
    /** Version of OpenShift GitOps; empty where it was not seen. */
    readonly operatorVersion: string
    /** Does the hub's own controller run, as far as its ArgoCD resource says? */
    readonly controllerEnabled: boolean
    readonly principalEnabled: boolean
  }
  /** Clusters that get an agent; empty where none are chosen. */
  readonly clusters: readonly string[]
  readonly preconditions: readonly Precondition[]
  /** Applications that the set-up stops, by `namespace/name`. */
  readonly frozen: readonly FrozenApplication[]
  /** What is in the way of `agent enable`, one clause each; empty when nothing is. */
  readonly blockers: readonly string[]
  readonly notes: readonly PlanNote[]
  readonly steps: readonly AgentStep[]
}

/** Whether a set-up fits this hub. */
export interface SetUpVerdict {
  readonly setup: SetUp
  readonly fits: 'yes' | 'no' | 'unknown'
  readonly text: string
}

/** One step of the procedure (agent-mode.md 2.3). */
export interface AgentStep {
  readonly number: number
  /** Name by which `--pause-after` knows it. */
  readonly key: PhaseKey
  readonly title: string
  /** `open`: clusters or Applications have to be chosen first. `by-hand`: fleetctl does not do it. */
  readonly state: 'planned' | 'unchanged' | 'open' | 'by-hand'
  readonly objects: readonly {
    readonly subject: Subject
    readonly action: Action
    /** Fields that change, for `configure`. */
    readonly fields: readonly string[]
  }[]
  /** What follows from it, outside of the objects. */
  readonly effect: string
  /** What shows that it is complete. */
  readonly signals: readonly string[]
  /** The way back. */
  readonly revert: string
}

export type PhaseKey =
  | 'hold'
  | 'operator'
  | 'selection'
  | 'rights'
  | 'principal'
  | 'registration'
  | 'agents'
  | 'applications'
  | 'release'
