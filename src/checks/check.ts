import type { Fleet, KindSet } from '../fleet/fleet.ts'
import type { KindName } from '../fleet/kinds.ts'
import type { Subject } from '../fleet/subject.ts'

export type Severity = 'error' | 'warning' | 'info'

/** Parts of the chain that checks look at, along it: the order in which they are listed. */
export const CATEGORIES = [
  'clusters',
  'selection',
  'registration',
  'generation',
  'applications',
  'delivery',
  'spokes',
  'status',
  'agent',
  'addons',
  'settings',
] as const

export type Category = (typeof CATEGORIES)[number]

/** How an Application reaches its cluster. `local`: deployed to the cluster of the Argo CD instance itself. */
export type Model = 'push' | 'pull' | 'agent' | 'local'

/** Kinds that a check reads, on the hub and on the spokes. */
export type Inputs = KindSet

/** One fact that led to a finding: the object, the field and the value as it was read (never secret data). */
export interface Evidence {
  readonly subject: Subject
  /** JSONPath-like field, e.g. `.status.conditions[Ready]`; empty for the object itself. */
  readonly path: string
  readonly value: string
}

/** An object whose own finding would explain this one. With `codes`, only findings of these codes count. */
export interface Cause {
  readonly subject: Subject
  readonly codes?: readonly string[]
}

/** An Application that would be generated. */
export interface Absent {
  /** `namespace/name`; undefined where only its cluster can be told. */
  readonly app: string | undefined
  readonly cluster: string
}

/** What a check saw, before the runner orders and folds. */
export interface Finding {
  /** The object that a person must change or repair; an object that ought to exist is given as missing. */
  readonly subject: Subject
  /** Where it differs from the check's own severity. */
  readonly severity?: Severity
  readonly message: string
  readonly evidence: readonly Evidence[]
  readonly effect?: string
  readonly fix: string
  /** By object and join, nearest cause first: the finding is folded under the first of these that has a finding. */
  readonly because?: readonly Cause[]
  /** Managed clusters whose delivery is touched; absent means every cluster that is served through the subject. */
  readonly clusters?: readonly string[]
  /** Delivery models that are touched, where these are not all that the check applies to. */
  readonly models?: readonly Model[]
  /** Further objects through which it acts: Applications whose way leads through the subject or one of these are touched. */
  readonly through?: readonly Subject[]
  /** Applications that ought to be there and are not: they are touched as well, and no way leads to them. */
  readonly absent?: readonly Absent[]
  /** Does it stop or endanger delivery, so that a trace through the subject is broken here? Default: severity is error. */
  readonly breaks?: boolean
}

/** Prose for `explain` and docs/checks: sentences, no markup beyond backticks. */
export interface CheckDocs {
  /** What goes wrong on a real hub, and why it is often silent. */
  readonly why: string
  /** How to mend it, step by step. */
  readonly remedy: string
  /** Sections of upstream documentation or source that the rule was read from. */
  readonly sources: readonly string[]
}

export interface Check {
  /** `FLT` and four digits, never reused. */
  readonly code: string
  readonly slug: string
  /** Present-tense fact that holds when the check passes. */
  readonly title: string
  readonly severity: Severity
  readonly category: Category
  readonly models: readonly Model[]
  /** Without these nothing can be said: the check is unknown when one could not be read, and not applicable when the hub does not serve it. */
  readonly needs: Inputs
  /** Read where they are there. A check that found nothing passes only if these were readable too. */
  readonly uses?: Inputs
  /**
   * Of the kinds above those from whose absent objects it concludes. With a list of them that is not whole the check is
   * unknown, and a spoke is passed over: what looks missing may be what could not be read.
   */
  readonly whole?: Inputs
  /**
   * Kinds of the hub in `whole` of which the check misses objects one by one, each told by a finding of its own or asked
   * for by `knows` with its name. It may run where a trace has read no more of them than it needs.
   */
  readonly perObject?: readonly KindName[]
  readonly docs: CheckDocs
  /** Why the check does not apply to this fleet, or undefined. */
  notApplicable?(fleet: Fleet): string | undefined
  run(fleet: Fleet): Iterable<Finding>
}
