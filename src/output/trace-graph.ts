import type { ApplicationTrace, HopState } from '../trace/trace.ts'
import { oneLine } from './sanitize.ts'
import { hopLabel } from './trace-state.ts'

/** The chain as a directed graph of Graphviz: hops are nodes, how one hangs on the other is the edge's label. */
export function renderTraceDot(trace: ApplicationTrace): string {
  const lines = trace.hops.flatMap((hop, i) => {
    const label = quote(`${hopLabel(hop.subject, trace)}\n${hop.state}`)
    const node = `  h${i} [label=${label}, color=${DOT_COLOUR[hop.state]}];`
    if (hop.parent === null) return [node]
    return [node, `  h${hop.parent} -> h${i} [label=${quote(hop.edge)}];`]
  })
  const title = quote(`${trace.application.namespace}/${trace.application.name}`)
  return `${['digraph trace {', `  label=${title};`, '  rankdir=LR;', '  node [shape=box];', ...lines, '}'].join('\n')}\n`
}

const DOT_COLOUR: Readonly<Record<HopState, string>> = {
  ok: 'green',
  broken: 'red',
  waiting: 'orange',
  stale: 'orange',
  unknown: 'gray',
  'n/a': 'gray',
}

function quote(text: string): string {
  const lines = text.split('\n').map(line => oneLine(line).replaceAll('\\', '\\\\').replaceAll('"', '\\"'))
  return `"${lines.join('\\n')}"`
}

/** The same graph as a Mermaid flow chart. */
export function renderTraceMermaid(trace: ApplicationTrace): string {
  const lines = trace.hops.flatMap((hop, i) => {
    const name = `${hopLabel(hop.subject, trace)}<br/>${hop.state}`
    const node = `  h${i}["${escapeMermaid(name)}"]:::${hop.state === 'n/a' ? 'na' : hop.state}`
    if (hop.parent === null) return [node]
    return [node, `  h${hop.parent} -->|${hop.edge}| h${i}`]
  })
  const classes = [
    '  classDef broken stroke:#c00,stroke-width:3px',
    '  classDef waiting stroke:#c80',
    '  classDef stale stroke:#c80',
    '  classDef unknown stroke-dasharray:4',
  ]
  return `${['flowchart LR', ...lines, ...classes].join('\n')}\n`
}

/** Mermaid's own entities for what would end a label or start markup; the line break is ours. */
function escapeMermaid(text: string): string {
  return oneLine(text)
    .split('<br/>')
    .map(part => part.replaceAll('#', '#35;').replaceAll('"', '#quot;').replaceAll('<', '#lt;').replaceAll('>', '#gt;'))
    .join('<br/>')
}
