import type { Subject } from '../fleet/subject.ts'
import type { Category, Evidence, Severity } from './check.ts'

export const API_VERSION = 'fleetctl/v1'

/** A finding as scripts see it. Fields are only ever added within v1. */
export interface ReportedFinding {
  readonly code: string
  readonly slug: string
  readonly category: Category
  readonly severity: Severity
  /** Stable over runs: code and subject. */
  readonly fingerprint: string
  readonly subject: Subject
  readonly message: string
  readonly evidence: readonly Evidence[]
  readonly effect: string
  readonly fix: string
  /** Arguments of the command that mends it, without the program's name; empty where no machine can. */
  readonly fixCommand: readonly string[]
  /** Can the command write it as files for Git? */
  readonly fixInGit: boolean
  /** Applications that ought to be there and are not count too. Names are cut after ten each; the counts are whole. */
  readonly impact: {
    readonly applications: number
    readonly clusters: number
    readonly applicationNames: readonly string[]
    readonly clusterNames: readonly string[]
    /** True where a trace read no more Applications than it needed: there may be more. */
    readonly atLeast?: true
  }
  /**
   * When the newest fact behind it, or behind what it explains, changed, RFC 3339; empty where the facts behind one of these
   * carry no time (src/findings/changed-at.ts says which do).
   */
  readonly changedAt: string
  /** Findings that this one explains. */
  readonly explains: readonly ReportedFinding[]
}

/** A check that could not be evaluated, wholly or for some clusters. */
export interface UnknownCheck {
  readonly code: string
  readonly slug: string
  readonly category: Category
  readonly reason: string
  /** What could not be seen: cluster (`hub` or a ManagedCluster) and `plural.group`. */
  readonly unseen: readonly { readonly cluster: string; readonly resource: string; readonly reason: string }[]
}

export interface SkippedCheck {
  readonly code: string
  readonly slug: string
  readonly category: Category
  readonly reason: string
}

export interface PassedCheck {
  readonly code: string
  readonly slug: string
  readonly category: Category
  readonly title: string
}

export interface SourceInfo {
  readonly type: 'recording' | 'must-gather' | 'files' | 'live'
  readonly name: string
  /** The time that ages are counted from, RFC 3339: the recording's own, never the wall clock for a recording. */
  readonly now: string
  readonly problems: readonly { readonly where: string; readonly line?: number; readonly message: string }[]
  /** How the source was understood, where that was not plain, e.g. which folder was taken for the hub. */
  readonly notes: readonly string[]
}

export interface ClusterInfo {
  readonly name: string
  readonly role: 'hub' | 'spoke'
  readonly serverVersion: string
  /** RFC 3339, empty where the source does not say. */
  readonly readAt: string
  /** False for a spoke that the hub knows and the source does not hold. */
  readonly read: boolean
}

export interface DoctorReport {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'DoctorReport'
  readonly version: string
  readonly startedAt: string
  readonly finishedAt: string
  readonly source: SourceInfo
  readonly clusters: readonly ClusterInfo[]
  readonly summary: {
    readonly errors: number
    readonly warnings: number
    readonly infos: number
    readonly unknown: number
    readonly skipped: number
    readonly passed: number
    readonly suppressed: number
    /** Findings that are in the baseline. */
    readonly baselined: number
    /** Findings that did not change within the time that was asked for. */
    readonly older: number
  }
  /** Roots only, most important first. */
  readonly findings: readonly ReportedFinding[]
  readonly unknown: readonly UnknownCheck[]
  readonly skipped: readonly SkippedCheck[]
  readonly passed: readonly PassedCheck[]
  readonly suppressed: readonly (ReportedFinding & { readonly by: string })[]
  /** Findings that are in the baseline: they do not count. */
  readonly baselined: readonly ReportedFinding[]
  /** Fingerprints of the baseline whose finding is there no more. */
  readonly gone: readonly string[]
  /** Findings that did not change within the time that was asked for: they do not count. */
  readonly older: readonly ReportedFinding[]
}
