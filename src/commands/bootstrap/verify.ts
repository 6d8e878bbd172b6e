import { setTimeout as sleep } from 'node:timers/promises'
import { EXIT, type ExitCode } from '../../errors.ts'
import { subjectText } from '../../fleet/subject.ts'
import { TRACE_LIST_VIEW } from '../../output/views.ts'
import type { ApplicationTrace, TraceList } from '../../trace/trace.ts'
import { type Call, note, openSource, reading } from '../call.ts'
import type { ApplicationSetRef } from '../deps.ts'
import { textOption } from '../flag-values.ts'
import { produce } from '../produce.ts'
import { parseReference } from '../trace/reference.ts'

const LONGEST_WAIT_MS = 10 * 60_000
const PAUSE_MS = 10_000

/** What keeps an Application from having arrived; undefined for one that has. */
function blocker(trace: ApplicationTrace): string | undefined {
  const name = subjectText(trace.application)
  if (trace.firstBroken !== null) return `${name} is broken at ${subjectText(trace.firstBroken)}`
  const hop = trace.hops.find(h => h.state === 'waiting' || h.state === 'broken' || h.state === 'stale')
  return hop === undefined ? undefined : `${name} waits for ${subjectText(hop.subject)}: ${hop.message}`
}

/** What keeps an ApplicationSet from being delivered, one clause each; empty when everything has arrived. */
export function blockersOf(list: TraceList): readonly string[] {
  if (list.finding?.severity === 'error') return [list.finding.message]
  if (list.traces.length === 0) return ['it has made no Application']
  return list.traces.map(blocker).filter(text => text !== undefined)
}

/** Traces an ApplicationSet again and again until everything has arrived or the time is over. */
export async function traceUntilDelivered(call: Call, ref: ApplicationSetRef, signal: AbortSignal): Promise<TraceList> {
  const started = Date.now()
  const isLive = call.flags.from === undefined
  const limit =
    !isLive || call.options.wait === false ? 0 : call.flags.timeout > 0 ? call.flags.timeout : LONGEST_WAIT_MS
  let told = ''
  for (;;) {
    const list = await call.engine.traceAppSet(await openSource(call), ref, { signal })
    const blockers = blockersOf(list)
    // One more look must fit into the time, or the deadline of the command cuts it off without a result.
    const left = started + limit - Date.now() - PAUSE_MS
    if (blockers.length === 0 || left <= 0) return list
    const text = blockers.join('; ')
    if (text !== told) note(call, `waiting: ${text}`)
    told = text
    await sleep(Math.min(PAUSE_MS, left), undefined, { signal })
  }
}

/** Exit code of what was found in the end: an Application that has not arrived in time is a timeout where it was waited for. */
function deliveredExitCode(call: Call, list: TraceList): ExitCode {
  const blockers = blockersOf(list)
  if (blockers.length === 0) {
    // Of a cluster that was not read, the hub knows what its agents report.
    const isBlind = list.traces.some(t => t.hops.some(hop => hop.state === 'unknown' && hop.subject.cluster === 'hub'))
    return isBlind && call.options.allowIncomplete !== true ? EXIT.incomplete : EXIT.ok
  }
  return call.flags.from === undefined && call.options.wait !== false ? EXIT.timeout : EXIT.findings
}

/** `fleetctl bootstrap verify APPSET`. */
export async function bootstrapVerify(call: Call): Promise<ExitCode> {
  const ref = parseReference(call.args[0] ?? '', 'appset', textOption(call.options, 'namespace'))
  return produce(call, {
    view: TRACE_LIST_VIEW,
    doing: reading(call),
    run: async signal => traceUntilDelivered(call, ref, signal),
    exitCode: list => deliveredExitCode(call, list),
    show: { allowIncomplete: call.options.allowIncomplete === true },
  })
}
