import type { ExitCode } from '../../errors.ts'
import { TRACE_LIST_VIEW } from '../../output/views.ts'
import type { FleetSource } from '../../source/source.ts'
import type { TraceList } from '../../trace/trace.ts'
import { type Call, openSource, reading } from '../call.ts'
import { traceListExitCode } from '../exit-code.ts'
import { produceOrWatch } from '../watching/produce-or-watch.ts'
import { namespaceFlag } from './namespace.ts'
import { parseReference } from './reference.ts'

/** `fleetctl trace appset`: one line for each Application of the ApplicationSet. */
export async function traceAppSet(call: Call): Promise<ExitCode> {
  const ref = parseReference(call.args[0] ?? '', 'appset', namespaceFlag(call.options))
  return traceList(call, (source, signal) => call.engine.traceAppSet(source, ref, { signal }))
}

/** `fleetctl trace cluster`: what reaches the cluster, and what stops on the way. */
export async function traceCluster(call: Call): Promise<ExitCode> {
  const { name } = parseReference(call.args[0] ?? '', 'cluster', undefined)
  return traceList(call, (source, signal) => call.engine.traceCluster(source, name, { signal }))
}

function traceList(
  call: Call,
  trace: (source: FleetSource, signal: AbortSignal) => Promise<TraceList>,
): Promise<ExitCode> {
  const allowIncomplete = call.options.allowIncomplete === true
  return produceOrWatch(call, {
    view: TRACE_LIST_VIEW,
    doing: reading(call),
    run: async signal => trace(await openSource(call), signal),
    exitCode: list => traceListExitCode(list, allowIncomplete),
    show: { allowIncomplete, showSymptoms: call.options.showSymptoms === true },
  })
}
