import type { API_VERSION, ClusterInfo, ReportedFinding, SourceInfo } from '../../checks/report.ts'
import type { Subject } from '../../fleet/subject.ts'

/**
 * Whether the way to an agent and back works. It is the way that is judged, not what the Application makes of the cluster: an
 * error that came back proves it as well.
 */
export type Verdict = 'verified' | 'failed' | 'waiting' | 'unknown'

/** The round trip of one Application. */
export interface RoundTrip {
  readonly subject: Subject
  readonly verdict: Verdict
  /** Is it on the other side? In autonomous mode that is the hub. */
  readonly sent: 'yes' | 'no' | 'unknown'
  /** Has its status come back, and lately? */
  readonly back: 'yes' | 'old' | 'no'
  /** When the status came back last, RFC 3339; empty where it never did. */
  readonly heardAt: string
  readonly message: string
  /** Code of the finding that breaks the way; empty where none does. */
  readonly code: string
}

export interface AgentVerdict {
  readonly name: string
  readonly principal: Subject
  readonly mode: 'managed' | 'autonomous' | ''
  readonly verdict: Verdict
  readonly heardAt: string
  readonly message: string
  readonly code: string
  readonly roundTrips: readonly RoundTrip[]
}

/** Whether Applications go to each agent and their status comes back. */
export interface AgentVerification {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'AgentVerification'
  readonly version: string
  readonly source: SourceInfo
  readonly clusters: readonly ClusterInfo[]
  readonly summary: string
  readonly agents: readonly AgentVerdict[]
  /** What keeps agents from being verified, one clause each. */
  readonly blockers: readonly string[]
  readonly findings: readonly ReportedFinding[]
}
