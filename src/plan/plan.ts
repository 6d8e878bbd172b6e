import type { API_VERSION } from '../checks/report.ts'
import type { Subject } from '../fleet/subject.ts'
import type { FieldChange } from './diff.ts'
import type { Manifest } from './object.ts'
import type { GitOpsOwner } from './owner.ts'
import type { PlanPreview } from './preview.ts'
import type { Signal } from './signal.ts'

/**
 * What a writing command is going to do, as data: it can be shown, saved, applied later, written to Git or refused. Nothing
 * in it depends on the terminal or on the time of day but `createdAt`.
 */
export interface Plan {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'Plan'
  readonly version: string
  /** RFC 3339. */
  readonly createdAt: string
  /** What it is for, e.g. `bootstrap pull`. */
  readonly title: string
  /** Arguments that make the same plan again, without the program's name. */
  readonly command: readonly string[]
  readonly target: PlanTarget
  readonly summary: Readonly<Record<Action, number>>
  readonly notes: readonly PlanNote[]
  readonly gates: readonly Gate[]
  readonly preview: PlanPreview
  readonly steps: readonly Step[]
  /** Lease on the hub by which runs exclude each other; absent where they need not. */
  readonly exclusive?: { readonly namespace: string; readonly name: string }
  /** Objects that controllers make of this plan and that were there before it: the way back leaves them alone. */
  readonly foreign?: readonly Subject[]
}

/** Where the plan was made from, and where alone it may be applied. */
interface PlanTarget {
  readonly type: 'recording' | 'must-gather' | 'files' | 'live'
  readonly name: string
  /** uid of namespace kube-system: tells hubs apart whatever their address; empty where it was not read. */
  readonly hub: string
}

export type Action = 'create' | 'configure' | 'unchanged' | 'delete'

/** Something that the user should know. Warnings come first. */
export interface PlanNote {
  readonly level: 'warning' | 'info'
  /** Stable name for scripts, e.g. `push-switched-off`. */
  readonly code: string
  readonly text: string
}

/** A danger that has to be accepted by name before anything is written. */
export interface Gate {
  readonly code: string
  readonly text: string
  /** What exactly is at stake, one line each. */
  readonly details: readonly string[]
  /** Flag that accepts it; empty for one that nothing can open. */
  readonly flag: string
  readonly accepted: boolean
}

export type Step = ObjectStep | WaitStep

export interface ObjectStep {
  readonly type: 'object'
  /** 1-based, counting waits too. */
  readonly number: number
  /** Heading that it stands under, e.g. `Clusters`. */
  readonly section: string
  readonly subject: Subject
  readonly action: Action
  /** What is sent. For an object of others, only the fields that are wanted of it. */
  readonly manifest: Manifest
  /** The object belongs to others, and fleetctl keeps only some of its fields. */
  readonly shared: boolean
  /** Fields that are to go, whoever put them there: then the step is one patch, and no apply. */
  readonly removes?: readonly (readonly string[])[]
  readonly changes: readonly FieldChange[]
  readonly why: string
  readonly risk: Risk
  readonly reversible: Reversible
  readonly precondition: Precondition
  /** Who would put it back; a change here does not last. */
  readonly owner?: GitOpsOwner
  /** Take fields from their owners: named and accepted in a gate. */
  readonly force: boolean
  /** Number of the earlier step that this one takes back, whoever has changed the rest of the object meanwhile. */
  readonly undoes?: number
}

export interface Risk {
  readonly level: 'none' | 'low' | 'high'
  readonly text: string
}

export interface Reversible {
  readonly yes: boolean
  readonly text: string
}

/** State of the object that the step was planned for. */
export type Precondition =
  | { readonly state: 'absent' }
  | {
      readonly state: 'present'
      readonly uid: string
      readonly resourceVersion: string
      /** Of what is wanted of the object; a change of its status does not change it. */
      readonly fingerprint: string
    }
  /** It could not be read, so the plan cannot be applied. */
  | { readonly state: 'unknown'; readonly reason: string }

export interface WaitStep {
  readonly type: 'wait'
  readonly number: number
  readonly section: string
  readonly signal: Signal
  /** `until Placement openshift-gitops/demo decides on bm, sno`. */
  readonly text: string
  readonly why: string
  /** How long it is waited for unless the user says otherwise. */
  readonly limitSeconds?: number
}

/** The steps that write; waits are left out. */
export function objectSteps(plan: Plan): readonly ObjectStep[] {
  return plan.steps.filter(step => step.type === 'object')
}

/** Steps that write something. */
export function writes(plan: Plan): readonly ObjectStep[] {
  return objectSteps(plan).filter(step => step.action !== 'unchanged')
}

/** Gates that nobody has accepted. */
export function openGates(plan: Plan): readonly Gate[] {
  return plan.gates.filter(gate => !gate.accepted)
}
