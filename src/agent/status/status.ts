import type { Severity } from '../../checks/check.ts'
import type { API_VERSION, ClusterInfo, ReportedFinding, SourceInfo } from '../../checks/report.ts'
import type { Subject } from '../../fleet/subject.ts'

/**
 * How a part is. `broken` only where the doctor has a finding about it, so that the two never disagree; `waiting` is what the
 * doctor still gives its time; `stale` says that its information, or what it serves, is old; `unknown` what could not be seen.
 */
export type PartState = 'ok' | 'broken' | 'waiting' | 'stale' | 'unknown'

/** A finding of the doctor about a part. */
export interface PartFinding {
  readonly code: string
  readonly severity: Severity
  readonly subject: Subject
  readonly message: string
  /** Code of the finding that explains it; its own where nothing does. */
  readonly root: string
}

/** One part of what agent mode consists of. */
export interface PartStatus {
  /** What it is for, in a few words: `principal`, `client certificate`, `connection`. Stable within v1. */
  readonly part: string
  readonly subject: Subject
  readonly state: PartState
  /** When the information that the state rests on last changed, RFC 3339; empty where nothing says. */
  readonly since: string
  readonly message: string
  readonly findings: readonly PartFinding[]
  /** A command that tells what could not be told here; empty where nothing is open. */
  readonly ask: string
}

/** An Application that goes to an agent, or, in autonomous mode, that came from one. */
export interface RoutedApplication {
  readonly subject: Subject
  readonly project: string
  readonly sync: string
  readonly health: string
  readonly state: PartState
  /** `.status.reconciledAt`, by the clock of the spoke. */
  readonly reconciledAt: string
  /** When the principal last wrote its status, by the clock of the hub; empty where managedFields were not read. */
  readonly writtenAt: string
  /** Code of the finding that a trace of it names; empty where nothing is broken. */
  readonly code: string
  readonly message: string
}

/** One agent: a spoke that is registered with a principal. */
export interface AgentEntry {
  readonly name: string
  readonly mode: 'managed' | 'autonomous' | ''
  readonly state: PartState
  /** Latest sign of the agent on the hub, RFC 3339; empty where there is none. */
  readonly heardAt: string
  readonly parts: readonly PartStatus[]
  readonly applications: readonly RoutedApplication[]
}

/** A principal, or a place where agents are registered though there is none. */
export interface PrincipalStatus {
  readonly subject: Subject
  readonly state: PartState
  /** By `destination.name`, or by the namespace of the Application. */
  readonly mapping: 'destination' | 'namespace' | ''
  /** `principal-only` with the application controller off, `hybrid` with it on; empty without a principal. */
  readonly setup: 'principal-only' | 'hybrid' | ''
  readonly parts: readonly PartStatus[]
  readonly agents: readonly AgentEntry[]
}

/** What agent mode looks like on a hub, part by part. */
export interface AgentStatus {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'AgentStatus'
  readonly version: string
  readonly source: SourceInfo
  readonly clusters: readonly ClusterInfo[]
  readonly state: PartState
  /** One sentence; on a hub without agent mode what there is instead. */
  readonly summary: string
  readonly principals: readonly PrincipalStatus[]
  /** Root causes of what is not well here, most important first. */
  readonly findings: readonly ReportedFinding[]
  /** What else the doctor says of agent mode, about no part: settings without effect, leftovers. */
  readonly elsewhere: readonly ReportedFinding[]
  readonly unseen: readonly { readonly cluster: string; readonly resource: string; readonly reason: string }[]
}
