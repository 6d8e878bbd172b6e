import type { AgentEntry, AgentStatus, PartStatus, PrincipalStatus, RoutedApplication } from '../agent/status/status.ts'
import { EXIT } from '../errors.ts'
import { age } from './age.ts'
import { findingBlock, labelled } from './finding-block.ts'
import { count, width, wrap } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { codesOf, colouredPart, detailTable, partTable } from './part-state.ts'
import { oneLine } from './sanitize.ts'
import { noteLines, problemLines, sourceLine } from './source-lines.ts'

/** Agents whose parts are listed one by one, and fix blocks below; `wide` shows all. */
const AGENTS_SHOWN = 3
const FINDINGS_SHOWN = 5
const APPLICATIONS_SHOWN = 10
const ASKS_SHOWN = 6

/** The default text: every part of the principal, a line for each agent, the parts of those that are not well. */
export function renderAgentStatusText(status: AgentStatus, options: RenderOptions): string {
  return lines(status, options, false)
}

/** The same with nothing shortened or left out. */
export function renderAgentStatusWide(status: AgentStatus, given: RenderOptions): string {
  return lines(status, { ...given, width: Number.POSITIVE_INFINITY }, true)
}

/** Only the parts that are not as they should be. */
export function renderAgentStatusShort(status: AgentStatus, options: RenderOptions): string {
  const bad = (parts: readonly PartStatus[], whose: string): string[][] =>
    parts
      // Much may be unknown of an agent that is known to work; an unknown connection leaves its health open.
      .filter(part => part.state !== 'ok' && (part.state !== 'unknown' || part.part === 'connection'))
      .map(part => [whose, part.part, colouredPart(part.state, options), codesOf(part), part.message])
  const rows = status.principals.flatMap(p => [
    ...bad(p.parts, `${p.subject.namespace}/${p.subject.name}`),
    ...p.agents.flatMap(agent => bad(agent.parts, agent.name)),
  ])
  const head = ['OF', 'PART', 'STATE', 'CODE', 'DETAIL']
  return [...detailTable(head, rows, { ...options, headers: false }), oneLine(status.summary)]
    .map(line => `${line}\n`)
    .join('')
}

function lines(status: AgentStatus, options: RenderOptions, wide: boolean): string {
  const findings = wide ? status.findings : status.findings.slice(0, FINDINGS_SHOWN)
  const more = status.findings.length - findings.length
  const sections = [
    options.headers ? wrap(sourceLine(status, wide), options.width, '', '  ') : [],
    ...status.principals.flatMap(principal => principalSections(principal, status, options, wide)),
    ...findings.map(finding => findingBlock(finding, options)),
    more > 0 ? [`${count(more, 'more cause')}; -o wide shows all of them.`] : [],
    [...noteLines(status.source, options), ...problemLines(status.source, options, wide)],
    asks(status, wide),
    closing(status, options),
  ]
  return sections
    .filter(section => section.length > 0)
    .map(section => `${section.join('\n')}\n`)
    .join('\n')
}

function principalSections(p: PrincipalStatus, status: AgentStatus, options: RenderOptions, wide: boolean): string[][] {
  const { now } = status.source
  const title = [
    `Principal ${p.subject.namespace}/${p.subject.name}`,
    colouredPart(p.state, options),
    ...(p.mapping === '' ? [] : [`${p.mapping}-based mapping`]),
    ...(p.setup === '' ? [] : [p.setup]),
    count(p.agents.length, 'agent'),
  ]
  const unwell = p.agents.filter(agent => agent.state !== 'ok')
  const shown = wide || p.agents.length === 1 ? p.agents : unwell.slice(0, AGENTS_SHOWN)
  const more = wide ? 0 : unwell.length - shown.length
  return [
    [...(options.headers ? heading(title, options) : []), ...partTable(p.parts, now, options)],
    agentTable(p.agents, now, options),
    ...shown.flatMap(agent => agentSections(agent, now, options, wide)),
    more > 0 ? [`${count(more, 'more agent')} not well; -o wide shows all of them.`] : [],
  ]
}

/** The parts of a title in a line, or, where that is too long, each in one of its own. */
function heading(parts: readonly string[], { width: columns }: RenderOptions): string[] {
  const line = parts.join('   ')
  return width(line) <= columns ? [line] : parts.flatMap((part, i) => wrap(part, columns, i > 0 ? '  ' : ''))
}

function agentTable(agents: readonly AgentEntry[], now: string, options: RenderOptions): string[] {
  const rows = agents.map(agent => {
    const state = (part: string): string => agent.parts.find(p => p.part === part)?.state ?? 'unknown'
    const broken = agent.applications.filter(a => a.state === 'broken').length
    return [
      agent.name,
      agent.mode || '<unknown>',
      colouredPart(agent.state, options),
      state('connection'),
      agent.heardAt === '' ? '<unknown>' : age(now, agent.heardAt),
      `${agent.applications.length}${broken === 0 ? '' : ` (${broken} broken)`}`,
    ]
  })
  return detailTable(['AGENT', 'MODE', 'STATE', 'CONNECTION', 'HEARD', 'APPLICATIONS'], rows, options)
}

function agentSections(agent: AgentEntry, now: string, options: RenderOptions, wide: boolean): string[][] {
  const title = [`Agent ${agent.name}`, agent.mode, colouredPart(agent.state, options)].filter(text => text !== '')
  const apps = wide ? agent.applications : agent.applications.slice(0, APPLICATIONS_SHOWN)
  const more = agent.applications.length - apps.length
  return [
    [...(options.headers ? [title.join('   ')] : []), ...partTable(agent.parts, now, options)],
    [
      ...detailTable(['APPLICATION', 'STATE', 'AGE', 'CODE', 'DETAIL'], apps.map(row(now, options)), options),
      ...(more > 0 ? [`and ${count(more, 'more Application')}; -o wide lists them.`] : []),
    ],
  ]
}

function row(now: string, options: RenderOptions) {
  return (app: RoutedApplication): string[] => [
    `${app.subject.namespace}/${app.subject.name}`,
    colouredPart(app.state, options),
    app.reconciledAt === '' ? '<unknown>' : age(now, app.reconciledAt),
    app.code,
    app.code === '' ? app.message : `${app.sync || 'no sync status'}, ${app.health || 'no health'}`,
  ]
}

/** Commands that tell what is unknown, once each. */
function asks(status: AgentStatus, wide: boolean): string[] {
  const open = status.principals.flatMap(p => [
    ...p.parts.map(part => ({ part, of: '' })),
    ...p.agents.flatMap(a => a.parts.map(part => ({ part, of: ` of ${a.name}` }))),
  ])
  const all = open.filter(({ part }) => part.state === 'unknown' && part.ask !== '')
  const shown = wide ? all : all.slice(0, ASKS_SHOWN)
  if (all.length === 0) return []
  return [
    `Unknown   ${count(all.length, 'part')}; this would tell:`,
    ...shown.flatMap(({ part, of }) => [oneLine(`  ${part.part}${of}`), `    ${oneLine(part.ask)}`]),
    ...(all.length > shown.length ? [`  and ${all.length - shown.length} more (-o wide lists them)`] : []),
  ]
}

function closing(status: AgentStatus, options: RenderOptions): string[] {
  const also = status.elsewhere.filter(f => f.severity !== 'info').map(f => `${f.code} (${f.severity})`)
  const rest = also.length === 0 ? '' : ` The doctor also has ${also.join(', ')}.`
  return [
    ...wrap(`${status.summary}${rest}`, options.width),
    ...labelledUnseen(status, options),
    ...wrap(meaning(options), options.width),
  ]
}

function labelledUnseen({ unseen }: AgentStatus, options: RenderOptions): string[] {
  const texts = unseen.map(({ cluster, resource, reason }) => oneLine(`${resource} on ${cluster}: ${reason}`))
  return [...new Set(texts)].flatMap(text => labelled('Unseen', text, options))
}

function meaning({ exitCode, failOn }: RenderOptions): string {
  if (exitCode === EXIT.findings) return `Exit code 1: a part has a finding of severity ${failOn} or worse.`
  if (exitCode === EXIT.incomplete)
    return 'Exit code 3: nothing is broken as far as could be seen, but not all could be.'
  return 'Exit code 0: nothing is broken.'
}
