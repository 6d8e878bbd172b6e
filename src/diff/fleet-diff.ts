import type { Category, Severity } from '../checks/check.ts'
import type { API_VERSION, SourceInfo } from '../checks/report.ts'
import type { Subject } from '../fleet/subject.ts'

/** Parts of the chain that are compared, in the order of the chain. */
export const SECTIONS = ['clusters', 'decisions', 'secrets', 'applications', 'works'] as const
export type Section = (typeof SECTIONS)[number]

/** A value that is another one now; empty where there was or is none. */
export interface FieldChange {
  readonly field: string
  readonly before: string
  readonly after: string
}

/** What became of one object. */
export interface ObjectChange {
  readonly section: Section
  readonly change: 'added' | 'removed' | 'changed'
  readonly subject: Subject
  /** Of an object that was added or removed: what it is or was. */
  readonly fields: readonly FieldChange[]
}

/** A finding that is only in one of the states, or of another severity in each. */
export interface FindingChange {
  readonly change: 'new' | 'gone' | 'changed'
  readonly code: string
  readonly slug: string
  readonly category: Category
  /** As it is now; of one that is gone, as it was. */
  readonly severity: Severity
  /** Of one that changed, the severity that it had; else empty. */
  readonly severityBefore: Severity | ''
  readonly fingerprint: string
  readonly subject: Subject
  readonly message: string
  /** Code of the finding that explains it; empty for a root. */
  readonly explainedBy: string
  /** False where the check could not say all of the other state, so the finding may well be in both. */
  readonly certain: boolean
}

/** Something that could not be compared, since it could not be seen in one of the states. */
export interface NotCompared {
  readonly state: 'before' | 'after'
  readonly cluster: string
  readonly resource: string
  readonly reason: string
}

export interface FleetDiff {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'FleetDiff'
  readonly version: string
  readonly before: SourceInfo
  readonly after: SourceInfo
  readonly summary: {
    readonly added: number
    readonly removed: number
    readonly changed: number
    readonly newFindings: number
    readonly goneFindings: number
    readonly changedFindings: number
  }
  readonly changes: readonly ObjectChange[]
  readonly findings: readonly FindingChange[]
  readonly notCompared: readonly NotCompared[]
}

/** Is there any difference? */
export function differs({ changes, findings }: FleetDiff): boolean {
  return changes.length + findings.length > 0
}
