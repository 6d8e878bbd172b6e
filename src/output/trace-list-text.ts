import type { ReportedFinding } from '../checks/report.ts'
import { subjectKey } from '../fleet/subject.ts'
import type { ApplicationTrace, HopState, TraceList } from '../trace/trace.ts'
import { age } from './age.ts'
import { traceExitMeaning } from './exit-meaning.ts'
import { findingBlock } from './finding-block.ts'
import { count, shorten } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'
import { problemLines, sourceLine } from './source-lines.ts'
import { table } from './table.ts'
import { brokenHop, colouredState, hopLabel, listTitle, traceState } from './trace-state.ts'

/** Fix blocks below the table; `wide` shows all. */
const FINDINGS_SHOWN = 5

/** The default text of several traces: one line an Application, broken ones first, then what is wrong, each cause once. */
export function renderTraceListText(list: TraceList, options: RenderOptions): string {
  return render(list, options, { traces: list.traces, findings: FINDINGS_SHOWN, wide: false })
}

/** The same with every finding and nothing shortened. */
export function renderTraceListWide(list: TraceList, options: RenderOptions): string {
  const wide = { ...options, width: Number.POSITIVE_INFINITY }
  return render(list, wide, { traces: list.traces, findings: Number.POSITIVE_INFINITY, wide: true })
}

/** Only the Applications that are not as they should be. */
export function renderTraceListShort(list: TraceList, options: RenderOptions): string {
  const traces = list.traces.filter(trace => traceState(trace) !== 'ok')
  if (traces.length === 0 && list.finding === null) return ''
  return render(list, options, { traces, findings: 0, wide: false })
}

interface Part {
  readonly traces: readonly ApplicationTrace[]
  readonly findings: number
  readonly wide: boolean
}

function render(list: TraceList, options: RenderOptions, part: Part): string {
  const findings = distinct(list)
  const shown = findings.slice(0, part.findings)
  const more = findings.length - shown.length
  const closing = part.wide ? [sourceLine(list, true), traceExitMeaning(options.exitCode)] : []
  const sections = [
    [...(options.headers ? [header(list)] : []), ...applicationTable(list, part.traces, options)],
    ...shown.map(finding => findingBlock(finding, options)),
    more > 0 && part.findings > 0 ? [`${count(more, 'more cause')}; -o wide shows all of them.`] : [],
    problemLines(list.source, options, part.wide),
    closing,
  ]
  return sections
    .filter(section => section.length > 0)
    .map(section => `${section.join('\n')}\n`)
    .join('\n')
}

/** `ApplicationSet openshift-gitops/branding-pull   2 Applications   1 broken, 1 ok`. */
function header(list: TraceList): string {
  const states: readonly HopState[] = ['broken', 'unknown', 'waiting', 'stale', 'ok']
  const counts = states.flatMap(state => {
    const n = list.traces.filter(trace => traceState(trace) === state).length
    return n > 0 ? `${n} ${state}` : []
  })
  const parts = [listTitle(list), count(list.traces.length, 'Application'), counts.join(', ')]
  return oneLine(parts.filter(part => part !== '').join(' | ')).replaceAll(' | ', '   ')
}

/** Findings of the list and of its traces, each root once, in order. */
function distinct(list: TraceList): ReportedFinding[] {
  const found = new Map<string, ReportedFinding>()
  for (const finding of [list.finding, ...list.traces.map(trace => trace.finding)]) {
    if (finding !== null) found.set(`${finding.code}|${subjectKey(finding.subject)}`, finding)
  }
  return [...found.values()]
}

/** NAME first, AGE last; NAMESPACE and SPOKE only where they differ. */
function applicationTable(list: TraceList, traces: readonly ApplicationTrace[], options: RenderOptions): string[] {
  if (traces.length === 0) return []
  const namespaces = new Set(list.traces.map(trace => trace.application.namespace)).size > 1
  const spokes = list.kind === 'ApplicationSetTrace'
  const row = (cells: { namespace: string; name: string; spoke: string; rest: readonly string[] }) => [
    ...(namespaces ? [cells.namespace] : []),
    cells.name,
    ...(spokes ? [cells.spoke] : []),
    ...cells.rest,
  ]
  const head = row({
    namespace: 'NAMESPACE',
    name: 'NAME',
    spoke: 'SPOKE',
    rest: ['MODEL', 'STATE', 'STOPS', 'CODE', 'AGE'],
  })
  const most = Number.isFinite(options.width) ? Math.max(20, Math.floor(options.width / 3)) : options.width
  const rows = traces.map(trace => {
    const { namespace, name } = trace.application
    const broken = brokenHop(trace)
    return row({
      namespace,
      name: shorten(name, most, options.symbols.ellipsis),
      spoke: trace.spoke === '' ? '<none>' : trace.spoke,
      rest: [
        trace.model,
        colouredState(traceState(trace), options),
        shorten(stop(trace), most, options.symbols.ellipsis),
        trace.finding?.code ?? '<none>',
        age(trace.source.now, broken?.since ?? newest(trace)),
      ],
    })
  })
  return table(options.headers ? [head, ...rows] : rows, { gaps: [2] })
}

function stop(trace: ApplicationTrace): string {
  if (trace.firstBroken !== null) return oneLine(hopLabel(trace.firstBroken, trace))
  const state = traceState(trace)
  const hop = trace.hops.find(h => h.state === state && state !== 'ok')
  return hop === undefined ? '<none>' : oneLine(hopLabel(hop.subject, trace))
}

/** When anything on the chain changed last. */
function newest(trace: ApplicationTrace): string {
  return (
    trace.hops
      .map(hop => hop.since)
      .sort()
      .at(-1) ?? ''
  )
}
