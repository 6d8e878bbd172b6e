import type { DoctorReport } from '../checks/report.ts'
import type { ApplicationTrace, TraceList } from '../trace/trace.ts'
import type { WaitResult } from '../wait/result.ts'
import type { TraceItems } from './documents.ts'
import type { RenderOptions } from './options.ts'
import type { View } from './view.ts'

/** Views of the reports. Renderers are loaded one by one: a JSON run loads no text layout. */

export const DOCTOR_VIEW: View<DoctorReport> = {
  what: 'doctor',
  forms: {
    text: async () => (await import('./doctor-text.ts')).renderDoctorText,
    wide: async () => (await import('./doctor-text.ts')).renderDoctorWide,
    short: async () => (await import('./doctor-short.ts')).renderDoctorShort,
    junit: async () => (await import('./junit.ts')).renderJunit,
  },
  rows: report => report.findings,
  rowKind: 'Finding',
  names: report => report.findings.map(finding => finding.subject),
}

export const TRACE_VIEW: View<ApplicationTrace> = {
  what: 'trace app',
  forms: {
    text: async () => (await import('./trace-text.ts')).renderTraceText,
    wide: async () => (await import('./trace-text.ts')).renderTraceWide,
    short: async () => (await import('./trace-text.ts')).renderTraceShort,
    tree: async () => (await import('./trace-text.ts')).renderTraceTree,
    dot: async () => (await import('./trace-graph.ts')).renderTraceDot,
    mermaid: async () => (await import('./trace-graph.ts')).renderTraceMermaid,
  },
  rows: trace => trace.hops,
  rowKind: 'Hop',
  names: trace => trace.hops.map(hop => hop.subject),
}

export const TRACE_LIST_VIEW: View<TraceList> = {
  what: 'trace appset and trace cluster',
  forms: {
    text: async () => (await import('./trace-list-text.ts')).renderTraceListText,
    wide: async () => (await import('./trace-list-text.ts')).renderTraceListWide,
    short: async () => (await import('./trace-list-text.ts')).renderTraceListShort,
    tree: async () => {
      const { renderTraceTree } = await import('./trace-text.ts')
      return (list, options) => list.traces.map(trace => renderTraceTree(trace, options)).join('\n')
    },
  },
  rows: list => list.traces,
  rowKind: 'ApplicationTrace',
  names: list => list.traces.map(trace => trace.application),
}

/** Several Applications that were named one by one: each as it is shown alone. */
export const TRACE_ITEMS_VIEW: View<TraceItems> = {
  what: 'trace app',
  forms: Object.fromEntries(
    Object.entries(TRACE_VIEW.forms).map(([format, load]) => [
      format,
      async () => {
        const render = await load()
        return (list: TraceItems, options: RenderOptions) => list.items.map(trace => render(trace, options)).join('\n')
      },
    ]),
  ),
  rows: list => list.items,
  rowKind: 'ApplicationTrace',
  names: list => list.items.map(trace => trace.application),
}

export const WAIT_VIEW: View<WaitResult> = {
  what: 'wait',
  forms: {
    text: async () => (await import('./wait-text.ts')).renderWait,
    wide: async () => (await import('./wait-text.ts')).renderWaitWide,
  },
  rows: result => [result],
  rowKind: 'WaitResult',
  names: result => result.blockers.map(blocker => blocker.subject),
}
