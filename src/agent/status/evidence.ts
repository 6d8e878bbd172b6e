import { count, names } from '../../checks/support.ts'
import { askPrincipalMetrics } from './ask.ts'
import { type LogEvidence, readPrincipalLog } from './principal-log.ts'
import { type MetricsEvidence, readPrincipalMetrics } from './principal-metrics.ts'
import type { AgentStatus, PartStatus, PrincipalStatus } from './status.ts'

/** Text that was fetched, or why it was not. */
export type Fetched = { readonly text: string } | { readonly reason: string }

/** Reads what stands behind the objects of a principal; undefined for what is not asked for. */
export interface EvidenceSource {
  /** The newest lines of its log. */
  log?(namespace: string, deployment: string): Promise<Fetched>
  /** Its metrics, in the text format of Prometheus. */
  metrics?(namespace: string, deployment: string): Promise<Fetched>
}

function logText({ lines, connected, faults, isTroubled }: LogEvidence): string {
  const came = connected.length === 0 ? 'no agent came' : `${names(connected)} came`
  const bad = faults.map(f => {
    const whose = f.agents.length === 0 ? '' : ` (${names(f.agents)})`
    return `${f.text}${whose}, said ${count(f.times, 'time')}`
  })
  const over = bad.length > 0 && !isTroubled ? '; since then it goes on' : ''
  return `in the last ${count(lines, 'line')}: ${[came, ...bad].join('; ')}${over}`
}

function metricsText({ connected, connections, errors }: MetricsEvidence, agents: number): string {
  const now =
    connected === undefined ? 'it does not say who is connected' : `${connected} of ${count(agents, 'agent')} connected`
  const each = [...connections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, n]) => `${name} ${n}`)
  return [
    now,
    ...(each.length === 0 ? [] : [`connections since its start: ${each.join(', ')}`]),
    ...(errors === undefined || errors === 0 ? [] : [`${count(errors, 'error')} counted`]),
  ].join('; ')
}

const EMPTY = { since: '', findings: [], ask: '' } as const

/** Command that shows what was not let through here. */
const askLog = (namespace: string, deployment: string): string =>
  `oc -n ${namespace} logs deployment/${deployment} --tail=1000`

async function partsOf(p: PrincipalStatus, source: EvidenceSource): Promise<readonly PartStatus[]> {
  const at = p.parts.find(part => part.part === 'principal')?.subject
  if (at === undefined || at.kind !== 'Deployment') return []
  const { namespace, name } = at
  const parts: PartStatus[] = []
  const agents = p.agents.map(a => a.name)
  const log = await source.log?.(namespace, name)
  if (log !== undefined) {
    if ('reason' in log) {
      const ask = askLog(namespace, name)
      parts.push({ ...EMPTY, part: 'log', subject: at, state: 'unknown', message: log.reason, ask })
    } else {
      const read = readPrincipalLog(log.text, agents)
      const state = read.isTroubled ? 'waiting' : 'ok'
      parts.push({ ...EMPTY, part: 'log', subject: at, state, message: logText(read) })
    }
  }
  const metrics = await source.metrics?.(namespace, name)
  if (metrics !== undefined) {
    if ('reason' in metrics) {
      const ask = askPrincipalMetrics(namespace, name)
      parts.push({ ...EMPTY, part: 'metrics', subject: at, state: 'unknown', message: metrics.reason, ask })
    } else {
      const read = readPrincipalMetrics(metrics.text)
      const isWhole = read.connected !== undefined && read.connected >= agents.length
      const state = read.connected === undefined ? 'unknown' : isWhole ? 'ok' : 'waiting'
      parts.push({ ...EMPTY, part: 'metrics', subject: at, state, message: metricsText(read, agents.length) })
    }
  }
  return parts
}

/** The status with what logs and metrics of its principals say, as parts of their own; what was refused counts as unseen. */
export async function withEvidence(status: AgentStatus, source: EvidenceSource): Promise<AgentStatus> {
  const principals: PrincipalStatus[] = []
  const unseen = [...status.unseen]
  for (const p of status.principals) {
    const parts = await partsOf(p, source)
    for (const { part, state, subject, message } of parts) {
      if (state !== 'unknown') continue
      unseen.push({ cluster: 'hub', resource: `${part} of ${subject.namespace}/${subject.name}`, reason: message })
    }
    principals.push({ ...p, parts: [...p.parts, ...parts] })
  }
  return { ...status, principals, unseen }
}
