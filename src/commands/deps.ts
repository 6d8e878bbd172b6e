import type { Readable } from 'node:stream'
import type { Check } from '../checks/check.ts'
import type { DoctorReport } from '../checks/report.ts'
import type { FleetSource } from '../source/source.ts'
import type { Suppression } from '../suppressions/suppression.ts'
import type { ApplicationTrace, TraceList } from '../trace/trace.ts'
import type { Call } from './call.ts'

export interface OpenOptions {
  /** Folder of the source that is the hub, where the user names it. */
  readonly hub?: string
  /** What `-` reads. */
  readonly stdin?: Readable
}

export interface DoctorOptions {
  /** Codes of the checks to run; absent: all. */
  readonly checks?: readonly string[]
  readonly skip?: readonly string[]
  readonly categories?: readonly string[]
  /** Suppressions, `CODE` or `CODE:GLOB` with a glob over the subject. */
  readonly ignore?: readonly string[]
  /** Suppressions of the settings files. */
  readonly suppressions?: readonly Suppression[]
  readonly signal?: AbortSignal
}

export interface TraceOptions {
  readonly signal?: AbortSignal
}

export interface ApplicationRef {
  readonly namespace?: string
  readonly name: string
  /** Clusters that it may go to; absent: any. */
  readonly spokes?: readonly string[]
}

export interface ApplicationSetRef {
  readonly namespace?: string
  readonly name: string
}

/** What the commands ask of the rest: the real one loads each part only when it is called, a test brings its own. */
export interface Engine {
  openPath(path: string, options: OpenOptions): Promise<FleetSource>
  /** The hub of the kubeconfig, and the spokes that the flags of the call name. */
  openLive(call: Call): Promise<FleetSource>
  runDoctor(source: FleetSource, options: DoctorOptions): Promise<DoctorReport>
  traceApp(source: FleetSource, ref: ApplicationRef, options: TraceOptions): Promise<ApplicationTrace>
  traceAppSet(source: FleetSource, ref: ApplicationSetRef, options: TraceOptions): Promise<TraceList>
  traceCluster(source: FleetSource, name: string, options: TraceOptions): Promise<TraceList>
  checks(): Promise<readonly Check[]>
}
