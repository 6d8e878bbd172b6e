import { subjectKey } from '../fleet/subject.ts'
import type { ApplicationTrace, Hop } from '../trace/trace.ts'
import { age } from './age.ts'
import { traceExitMeaning } from './exit-meaning.ts'
import { findingDetails, labelled, subjectLabel } from './finding-block.ts'
import { count, pad, shorten, width, wrap } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'
import { noteLines, problemLines, sourceLine } from './source-lines.ts'
import { table } from './table.ts'
import { brokenHop, colouredState, hopLabel, traceState } from './trace-state.ts'
import { treePrefixes } from './tree.ts'

/** The default text of a trace: header, one line a hop, the first broken hop and its fix. */
export function renderTraceText(trace: ApplicationTrace, options: RenderOptions): string {
  const problems = [...noteLines(trace.source, options), ...problemLines(trace.source, options, false)]
  return join([header(trace, options), hopTable(trace, options), verdict(trace, options), problems])
}

/** The same with nothing shortened, and with the source of the data. */
export function renderTraceWide(trace: ApplicationTrace, given: RenderOptions): string {
  const options = { ...given, width: Number.POSITIVE_INFINITY }
  const source = options.headers ? [sourceLine(trace, true)] : []
  return join([
    header(trace, options),
    hopTable(trace, options),
    evidenceLines(trace),
    verdict(trace, options),
    unseenLines(trace, options),
    problemLines(trace.source, options, true),
    [...source, traceExitMeaning(options.exitCode)],
  ])
}

/** The tree alone. */
export function renderTraceTree(trace: ApplicationTrace, options: RenderOptions): string {
  return join([hopTable(trace, options)])
}

/** Hops that are not as they should be, one a line, and the verdict. */
export function renderTraceShort(trace: ApplicationTrace, options: RenderOptions): string {
  const bad = trace.hops.filter(hop => hop.state !== 'ok' && hop.state !== 'n/a')
  const rows = bad.map(hop => [colouredState(hop.state, options), hopLabel(hop.subject, trace), oneLine(hop.message)])
  return join([table(rows, { gaps: [2] }), bad.length > 0 || trace.firstBroken !== null ? verdict(trace, options) : []])
}

function join(sections: readonly (readonly string[])[]): string {
  return sections.flatMap(section => section.map(line => `${line}\n`)).join('')
}

/** `Application openshift-gitops/branding-bm   model pull (label …)   spoke bm`. */
function header(trace: ApplicationTrace, options: RenderOptions): string[] {
  if (!options.headers) return []
  const { namespace, name } = trace.application
  const why = oneLine(trace.modelReason)
  const parts = [
    `Application ${namespace === '' ? '' : `${namespace}/`}${name}`,
    `model ${trace.model}${why === '' ? '' : ` (${why})`}`,
    ...(trace.spoke === '' ? [] : [`spoke ${trace.spoke}`]),
  ].map(oneLine)
  const line = parts.join('   ')
  return width(line) <= options.width
    ? [line]
    : parts.flatMap((part, i) => wrap(part, options.width, i > 0 ? '  ' : ''))
}

const GAPS = [1, 2]
const STATE_WIDTH = 'unknown'.length
const AGE_WIDTH = 'AGE'.length
/** What is left for DETAIL at least, before names are shortened. */
const DETAIL_LEAST = 40
/** What is left of a name at least. */
const NAME_LEAST = 30

function hopTable(trace: ApplicationTrace, options: RenderOptions): string[] {
  if (trace.hops.length === 0) return []
  const prefixes = treePrefixes(
    trace.hops.map(hop => hop.parent),
    options.symbols,
  )
  const ages = trace.hops.map(hop => age(trace.source.now, hop.since))
  const ageWidth = Math.max(AGE_WIDTH, ...ages.map(text => text.length))
  const taken = GAPS.length + STATE_WIDTH + 1 + ageWidth + 2
  const names = Math.max(NAME_LEAST, options.width - taken - DETAIL_LEAST)
  const { ellipsis } = options.symbols
  const rows = prefixes.order.map(i => {
    const hop = trace.hops[i]
    if (hop === undefined) return []
    const prefix = prefixes.text[i] ?? ''
    const label = shorten(oneLine(hopLabel(hop.subject, trace)), names - prefix.length, ellipsis)
    return [prefix + label, colouredState(hop.state, options), ages[i] ?? '', detail(hop)]
  })
  const nameWidth = Math.max('HOP'.length, ...rows.map(row => width(row[0] ?? '')))
  const room = Math.max(DETAIL_LEAST / 2, options.width - nameWidth - taken)
  const fitted = rows.map(row => [...row.slice(0, 3), shorten(row[3] ?? '', room, ellipsis)])
  const head = options.headers ? [['HOP', 'STATE', 'AGE', 'DETAIL']] : []
  return table([...head, ...fitted], { gaps: GAPS, least: [undefined, STATE_WIDTH, AGE_WIDTH] })
}

/** What the hop says, and who said so where it was not the object itself. */
function detail(hop: Hop): string {
  const message = oneLine(hop.message)
  if (hop.source === '') return message
  return oneLine(message === '' ? hop.source : `${message} (${hop.source})`)
}

function evidenceLines(trace: ApplicationTrace): string[] {
  return trace.hops.flatMap(hop =>
    hop.evidence.map(({ subject, path, value }) => {
      const where = [subjectLabel(subject), path].filter(part => part !== '').join(' ')
      return `  ${pad('Evidence', 10)}${where}: ${oneLine(value)}`
    }),
  )
}

function unseenLines(trace: ApplicationTrace, options: RenderOptions): string[] {
  const lines = trace.unseen.map(({ cluster, resource, reason }) => oneLine(`${resource} on ${cluster}: ${reason}`))
  return lines.flatMap(line => labelled('Unseen', line, options))
}

/** One sentence that names the first broken hop, then its fix block; or what can be said without one. */
function verdict(trace: ApplicationTrace, options: RenderOptions): string[] {
  const { firstBroken, finding } = trace
  const { width: columns, style } = options
  if (firstBroken === null) return wrap(unbroken(trace), columns)
  const where = firstBroken.cluster === 'hub' ? 'the hub' : firstBroken.cluster
  const said = finding?.message ?? brokenHop(trace)?.message ?? ''
  const sentence = `${style.red('First broken hop')}: ${firstBroken.kind} on ${where}. ${sentenceOf(said)}`
  if (finding === null) return wrap(sentence, columns)
  const lines = wrap(sentence, columns)
  const last = `${lines.at(-1) ?? ''}   ${style.bold(finding.code)}`
  const closing = width(last) <= columns ? [last] : [lines.at(-1) ?? '', style.bold(finding.code)]
  const other = subjectKey(finding.subject) === subjectKey(firstBroken) ? '' : subjectLabel(finding.subject)
  return [...lines.slice(0, -1), ...closing, ...labelled('Cause', other, options), ...findingDetails(finding, options)]
}

function unbroken(trace: ApplicationTrace): string {
  const state = traceState(trace)
  const to = trace.spoke === '' ? '' : ` to ${trace.spoke}`
  const hops = (wanted: Hop['state']) => trace.hops.filter(hop => hop.state === wanted)
  const named = (wanted: Hop['state']) =>
    hops(wanted)
      .map(hop => `${hopLabel(hop.subject, trace)}${hop.message === '' ? '' : ` (${oneLine(hop.message)})`}`)
      .join('; ')
  switch (state) {
    case 'unknown':
      return `No broken hop seen, but ${count(hops('unknown').length, 'hop is', 'hops are')} unknown: ${named('unknown')}.`
    case 'waiting':
      return `No broken hop; still waiting for ${named('waiting')}.`
    case 'stale':
      return `No broken hop, but stale: ${named('stale')}.`
    default:
      return `No broken hop: the Application is delivered${to}.`
  }
}

function sentenceOf(text: string): string {
  const line = oneLine(text)
  return line === '' || /[.!?]$/.test(line) ? line : `${line}.`
}
