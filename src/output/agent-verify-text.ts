import type { AgentVerdict, AgentVerification, RoundTrip, Verdict } from '../agent/status/verification.ts'
import { EXIT } from '../errors.ts'
import { age } from './age.ts'
import { findingBlock } from './finding-block.ts'
import { wrap } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { detailTable } from './part-state.ts'
import { noteLines, problemLines, sourceLine } from './source-lines.ts'

const FINDINGS_SHOWN = 5

/** The default text: a line for each agent, what breaks the way, and what the exit code says. */
export function renderAgentVerifyText(result: AgentVerification, options: RenderOptions): string {
  return lines(result, options, false)
}

/** The same with every Application. */
export function renderAgentVerifyWide(result: AgentVerification, given: RenderOptions): string {
  return lines(result, { ...given, width: Number.POSITIVE_INFINITY }, true)
}

/** Only the agents that are not verified. */
export function renderAgentVerifyShort(result: AgentVerification, options: RenderOptions): string {
  const agents = result.agents.filter(agent => agent.verdict !== 'verified')
  return [...agentTable(agents, result, { ...options, headers: false }), result.summary]
    .map(line => `${line}\n`)
    .join('')
}

function lines(result: AgentVerification, options: RenderOptions, wide: boolean): string {
  const findings = wide ? result.findings : result.findings.slice(0, FINDINGS_SHOWN)
  const sections = [
    options.headers && wide ? [sourceLine(result, true)] : [],
    agentTable(result.agents, result, options),
    ...(wide ? result.agents.map(agent => tripTable(agent, result, options)) : []),
    ...findings.map(finding => findingBlock(finding, options)),
    [...noteLines(result.source, options), ...problemLines(result.source, options, wide)],
    [...wrap(`${result.summary}.`, options.width), ...wrap(meaning(options), options.width)],
  ]
  return sections
    .filter(section => section.length > 0)
    .map(section => `${section.join('\n')}\n`)
    .join('\n')
}

function coloured(verdict: Verdict, { style }: RenderOptions): string {
  if (verdict === 'verified') return style.green(verdict)
  return verdict === 'failed' ? style.red(verdict) : style.yellow(verdict)
}

function heard(now: string, at: string): string {
  return at === '' ? '<unknown>' : age(now, at)
}

function agentTable(agents: readonly AgentVerdict[], { source }: AgentVerification, options: RenderOptions): string[] {
  const rows = agents.map(({ name, mode, verdict, heardAt, code, message }) => [
    name,
    mode || '<unknown>',
    coloured(verdict, options),
    heard(source.now, heardAt),
    code || '<none>',
    message,
  ])
  return detailTable(['AGENT', 'MODE', 'RESULT', 'HEARD', 'CODE', 'DETAIL'], rows, options)
}

function tripTable(agent: AgentVerdict, { source }: AgentVerification, options: RenderOptions): string[] {
  const rows = agent.roundTrips.map(({ subject, verdict, sent, back, heardAt, code, message }: RoundTrip) => [
    `${subject.namespace}/${subject.name}`,
    agent.name,
    coloured(verdict, options),
    sent,
    back,
    heard(source.now, heardAt),
    code || '<none>',
    message,
  ])
  const head = ['APPLICATION', 'AGENT', 'RESULT', 'SENT', 'BACK', 'HEARD', 'CODE', 'DETAIL']
  return detailTable(head, rows, options)
}

function meaning({ exitCode }: RenderOptions): string {
  switch (exitCode) {
    case EXIT.findings:
      return 'Exit code 1: the way to an agent or back does not work.'
    case EXIT.incomplete:
      return 'Exit code 3: not every agent could be judged.'
    case EXIT.timeout:
      return 'Exit code 5: not every agent was verified in time.'
    default:
      return 'Exit code 0: Applications went to every agent, and their status came back.'
  }
}
