import { API_VERSION } from '../../checks/report.ts'
import type { ExitCode } from '../../errors.ts'
import type { TraceItems } from '../../output/documents.ts'
import { TRACE_ITEMS_VIEW, TRACE_VIEW } from '../../output/views.ts'
import type { FleetSource } from '../../source/source.ts'
import type { AppRef } from '../../trace/find.ts'
import type { ApplicationTrace } from '../../trace/trace.ts'
import { type Call, openSource, reading } from '../call.ts'
import { traceExitCode } from '../exit-code.ts'
import { listOption } from '../flag-values.ts'
import { produceOrWatch } from '../watching/produce-or-watch.ts'
import { namespaceFlag } from './namespace.ts'
import { parseReference } from './reference.ts'

/** `fleetctl trace app`: one Application to one cluster is an ApplicationTrace; several are a List of them. */
export async function traceApp(call: Call): Promise<ExitCode> {
  const refs = references(call)
  const allowIncomplete = call.options.allowIncomplete === true
  const doing = reading(call)
  const show = { allowIncomplete, showSymptoms: call.options.showSymptoms === true }
  const [only] = refs
  if (only !== undefined && refs.length === 1) {
    return produceOrWatch(call, {
      view: TRACE_VIEW,
      doing,
      run: async signal => call.engine.traceApp(await openSource(call), only, { signal }),
      exitCode: trace => traceExitCode([trace], allowIncomplete),
      show,
    })
  }
  return produceOrWatch(call, {
    view: TRACE_ITEMS_VIEW,
    doing,
    run: async (signal): Promise<TraceItems> => ({
      apiVersion: API_VERSION,
      kind: 'List',
      items: await traceAll(call, await openSource(call), refs, signal),
    }),
    exitCode: list => traceExitCode(list.items, allowIncomplete),
    show,
  })
}

/** One reference for each name. With --spoke, Applications of one name are told apart by the cluster that they go to. */
function references({ args, options }: Call): AppRef[] {
  const namespace = namespaceFlag(options)
  const spokes = [...new Set(listOption(options, 'spoke'))]
  return args.map(arg => ({ ...parseReference(arg, 'app', namespace), ...(spokes.length === 0 ? {} : { spokes }) }))
}

async function traceAll(call: Call, source: FleetSource, refs: readonly AppRef[], signal: AbortSignal) {
  const items: ApplicationTrace[] = []
  for (const ref of refs) items.push(await call.engine.traceApp(source, ref, { signal }))
  return items
}
