import type { Evidence, Model } from '../checks/check.ts'
import type { API_VERSION, ClusterInfo, ReportedFinding, SourceInfo } from '../checks/report.ts'
import type { Subject } from '../fleet/subject.ts'

export type HopState = 'ok' | 'broken' | 'waiting' | 'stale' | 'unknown' | 'n/a'

/** How a hop hangs on the one above it; the root of the tree has `generates` towards the Application. */
export type Edge =
  | 'generates'
  | 'selects'
  | 'registers'
  | 'wraps'
  | 'delivers'
  | 'reconciles'
  | 'reports'
  | 'configures'

export interface Hop {
  readonly subject: Subject
  /** Index of the hop that this one hangs under in the tree, or null for the top. */
  readonly parent: number | null
  readonly edge: Edge
  readonly state: HopState
  /** When the information that the state rests on last changed, RFC 3339; empty where nothing says. */
  readonly since: string
  /** Which object said so, e.g. `ManifestWork feedback`, `copied from report`; empty for the object itself. */
  readonly source: string
  readonly message: string
  readonly evidence: readonly Evidence[]
}

/** The chain of one Application, hop by hop. */
export interface ApplicationTrace {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'ApplicationTrace'
  readonly version: string
  readonly source: SourceInfo
  readonly clusters: readonly ClusterInfo[]
  readonly application: Subject
  readonly model: Model | 'unknown'
  readonly modelReason: string
  /** The ManagedCluster that the Application goes to; empty where it cannot be told. */
  readonly spoke: string
  readonly hops: readonly Hop[]
  readonly firstBroken: Subject | null
  readonly finding: ReportedFinding | null
  /** What could not be seen on the way. */
  readonly unseen: readonly { readonly cluster: string; readonly resource: string; readonly reason: string }[]
}

/** Several Applications at once: of an ApplicationSet, or all that reach one cluster. Broken ones first. */
export interface TraceList {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'ApplicationSetTrace' | 'ClusterTrace'
  readonly version: string
  readonly source: SourceInfo
  readonly clusters: readonly ClusterInfo[]
  readonly subject: Subject
  readonly traces: readonly ApplicationTrace[]
  /** The root of what is wrong with the subject itself, as the doctor has it. */
  readonly finding: ReportedFinding | null
}
