import { type Subject, subjectKey } from '../fleet/subject.ts'
import type { ApplicationTrace, Hop, HopState, TraceList } from '../trace/trace.ts'
import type { RenderOptions } from './options.ts'

/** Gravest first; what a whole chain is called by. */
const ORDER: readonly HopState[] = ['broken', 'unknown', 'waiting', 'stale']

/** State of a chain: its gravest hop's. */
export function traceState(trace: ApplicationTrace): HopState {
  if (trace.firstBroken !== null) return 'broken'
  return ORDER.find(state => trace.hops.some(hop => hop.state === state)) ?? 'ok'
}

/** State of a hop in its colour. */
export function colouredState(state: HopState, { style }: RenderOptions): string {
  switch (state) {
    case 'ok':
      return style.green(state)
    case 'broken':
      return style.red(state)
    case 'n/a':
      return style.dim(state)
    default:
      return style.yellow(state)
  }
}

/** The hop that `firstBroken` names, where it stands in the tree. */
export function brokenHop(trace: ApplicationTrace): Hop | undefined {
  const wanted = trace.firstBroken
  if (wanted === null) return undefined
  return trace.hops.find(hop => subjectKey(hop.subject) === subjectKey(wanted))
}

/**
 * Name of a hop in the tree: `Placement/production`, `ManifestWork bm/branding-bm-1a2b3` for an object outside the
 * Application's namespace, `Application/branding-bm (bm)` for one on a spoke, `(hub)` where a spoke has it too.
 */
export function hopLabel(hop: Subject, trace: ApplicationTrace): string {
  const elsewhere = hop.namespace !== '' && hop.namespace !== trace.application.namespace
  const name = elsewhere ? `${hop.kind} ${hop.namespace}/${hop.name}` : `${hop.kind}/${hop.name}`
  if (hop.cluster !== 'hub') return `${name} (${hop.cluster})`
  const twin = trace.hops.some(
    ({ subject }) => subject.cluster !== 'hub' && subject.kind === hop.kind && subject.name === hop.name,
  )
  return twin ? `${name} (hub)` : name
}

/** The object of a whole list of traces, as its header names it. */
export function listTitle({ subject }: TraceList): string {
  return `${subject.kind} ${subject.namespace === '' ? '' : `${subject.namespace}/`}${subject.name}`
}
