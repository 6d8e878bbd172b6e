import type { Check } from '../checks/check.ts'
import type { DoctorReport } from '../checks/report.ts'
import type { DoctorOptions } from '../doctor.ts'
import type { OpenPathOptions } from '../source/open.ts'
import type { FleetSource } from '../source/source.ts'
import type { AppRef } from '../trace/find.ts'
import type { TraceOptions } from '../trace/run.ts'
import type { ApplicationTrace, TraceList } from '../trace/trace.ts'
import type { Call } from './call.ts'

export interface ApplicationSetRef {
  readonly namespace?: string
  readonly name: string
}

/** What the commands ask of the rest: the real one loads each part only when it is called, a test brings its own. */
export interface Engine {
  openPath(path: string, options: OpenPathOptions): Promise<FleetSource>
  /** The hub of the kubeconfig, and the spokes that the flags of the call name. */
  openLive(call: Call): Promise<FleetSource>
  runDoctor(source: FleetSource, options: DoctorOptions): Promise<DoctorReport>
  traceApp(source: FleetSource, ref: AppRef, options: TraceOptions): Promise<ApplicationTrace>
  traceAppSet(source: FleetSource, ref: ApplicationSetRef, options: TraceOptions): Promise<TraceList>
  traceCluster(source: FleetSource, name: string, options: TraceOptions): Promise<TraceList>
  checks(): Promise<readonly Check[]>
}
