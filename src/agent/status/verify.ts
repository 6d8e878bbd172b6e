import { agentDeployments, heardAt } from '../../checks/agent/agent-support.ts'
import { staleAfter } from '../../checks/argo/reconciliation.ts'
import type { Node } from '../../checks/fold.ts'
import { API_VERSION } from '../../checks/report.ts'
import { count, lasting } from '../../checks/support.ts'
import { type Diagnosis, reported } from '../../diagnosis.ts'
import { type AppLink, SOURCE_UID } from '../../fleet/joins/applications.ts'
import { wayOf } from '../../fleet/joins/ways.ts'
import { subject, subjectText } from '../../fleet/subject.ts'
import { isoTime } from '../../iso-time.ts'
import type { FleetSource } from '../../source/source.ts'
import { clusterInfos, sourceInfo } from '../../source-info.ts'
import { faultOf } from '../../trace/fault.ts'
import { VERSION } from '../../version.ts'
import { agentPlaces, type Place } from './place.ts'
import { modeOf } from './routed.ts'
import type { AgentVerdict, AgentVerification, RoundTrip, Verdict } from './verification.ts'

export interface VerifyOptions {
  /** Agents to verify; empty or absent: all. */
  readonly spokes?: readonly string[]
  /** By agent, a time in epoch milliseconds: only a status from after it counts. */
  readonly newerThan?: ReadonlyMap<string, number>
  /** By agent, `namespace/name` of the one Application that it is judged by; agents that are not in it by all of theirs. */
  readonly by?: ReadonlyMap<string, string>
}

const WORST: readonly Verdict[] = ['failed', 'waiting', 'unknown', 'verified']

function worst(verdicts: readonly Verdict[]): Verdict {
  return WORST.find(v => verdicts.includes(v)) ?? 'unknown'
}

/** Is the Application on the side that does not own it? */
function sent(place: Place, cluster: string, { app }: AppLink): RoundTrip['sent'] {
  const view = place.fleet.spokes.get(cluster)
  // What came from an autonomous agent is on the hub, or nothing would be known of it.
  if (SOURCE_UID in app.meta.annotations) return 'yes'
  // A copy that is of another Application of that name carries the uid of that one.
  const copies = view?.of('Application').all.filter(a => a.meta.name === app.meta.name) ?? []
  if (copies.some(a => (a.meta.annotations[SOURCE_UID] ?? app.meta.uid) === app.meta.uid)) return 'yes'
  if (view?.knows('Application') === true) return 'no'
  // Only the agent writes with this manager, and only what its copy says.
  return app.agentWroteAt === undefined ? 'unknown' : 'yes'
}

interface Judged {
  readonly trip: RoundTrip
  readonly fault: Node | undefined
}

function roundTrip(diagnosis: Diagnosis, place: Place, agent: string, link: AppLink, since: number): Judged {
  const { fleet, roots } = diagnosis
  const { app } = link
  const view = fleet.spokes.get(agent)
  const limit = staleAfter(view, view === undefined ? '' : (agentDeployments(view)[0]?.meta.namespace ?? ''))
  const heard = heardAt(link)
  const isOld = limit !== undefined && fleet.now - heard >= limit
  const back = heard === 0 ? 'no' : isOld ? 'old' : 'yes'
  const found = faultOf(fleet, roots, wayOf(link))
  const went = sent(place, agent, link)
  // What fails behind the agent, and came back from there, proves the way.
  const isWhole = back === 'yes' && went !== 'no' && found?.found.check.category !== 'agent'
  const fault = isWhole ? undefined : found
  const base = {
    subject: app.subject,
    sent: went,
    back,
    heardAt: isoTime(heard),
    code: fault?.found.check.code ?? '',
  } as const
  const told = `last status ${heard === 0 ? 'never' : `${lasting(fleet.now, heard)} ago`}`
  const said = (verdict: Verdict, message: string): Judged => ({ trip: { ...base, verdict, message }, fault })
  if (fault !== undefined) return said('failed', fault.found.finding.message)
  if (app.meta.deleting !== undefined) return said('waiting', 'is being deleted')
  if (went === 'no') return said('waiting', `is not on ${agent} yet; ${told}`)
  if (back === 'no') return said('waiting', 'no status has come back yet')
  if (back === 'old') return said('failed', told)
  if (heard <= since) return said('waiting', `${told}, none since the verification began`)
  if (went === 'unknown') return said('unknown', `${told}; ${agent} was not read, and who wrote it was not recorded`)
  return said('verified', `${told}: ${app.sync || 'no sync status'}, ${app.health || 'no health'}`)
}

function agentVerdict(diagnosis: Diagnosis, place: Place, name: string, options: VerifyOptions) {
  const one = options.by?.get(name)
  const links = (place.routed.get(name) ?? []).filter(link => one === undefined || link.key === one)
  const since = options.newerThan?.get(name) ?? 0
  const judged = links.map(link => roundTrip(diagnosis, place, name, link, since))
  const trips = judged.map(j => j.trip).sort((a, b) => WORST.indexOf(a.verdict) - WORST.indexOf(b.verdict))
  const verdict = worst(trips.map(t => t.verdict))
  const first = trips.find(t => t.verdict === verdict)
  const modes = place.registrars.filter(r => r.decided?.clusters.has(name) === true).map(r => r.goc.agentMode)
  const agent: AgentVerdict = {
    name,
    principal: place.principal?.argo.subject ?? subject('hub', 'ArgoCD', place.namespace, ''),
    mode: modeOf(links, modes),
    verdict,
    heardAt: isoTime(Math.max(0, ...links.map(heardAt))),
    message:
      first === undefined
        ? 'no Application is routed to it, so there is nothing to judge by'
        : verdict === 'verified'
          ? `${count(trips.length, 'Application')} there and back`
          : `${subjectText(first.subject)}: ${first.message}`,
    code: first?.code ?? '',
    roundTrips: trips,
  }
  return { agent, faults: judged.flatMap(j => j.fault ?? []) }
}

/** When each agent was heard of last, epoch milliseconds; 0 where never. */
export function heardOfAgents({ fleet }: Diagnosis): ReadonlyMap<string, number> {
  const places = agentPlaces(fleet)
  return new Map(
    places.flatMap(place =>
      place.agents.map(name => [name, Math.max(0, ...(place.routed.get(name) ?? []).map(heardAt))] as const),
    ),
  )
}

/** Judges from the Applications that are there whether the way to each agent and back works. */
export function verifyAgents(
  source: FleetSource,
  diagnosis: Diagnosis,
  options: VerifyOptions = {},
): AgentVerification {
  const { fleet, roots } = diagnosis
  const only = options.spokes ?? []
  const found = agentPlaces(fleet).flatMap(place =>
    place.agents
      .filter(name => only.length === 0 || only.includes(name))
      .map(name => agentVerdict(diagnosis, place, name, options)),
  )
  const agents = found
    .map(f => f.agent)
    .sort((a, b) => WORST.indexOf(a.verdict) - WORST.indexOf(b.verdict) || (a.name < b.name ? -1 : 1))
  const tops = new Set(
    found
      .flatMap(f => f.faults)
      .map(node => {
        let top = node
        while (top.parent !== undefined) top = top.parent
        return top
      }),
  )
  const counts = WORST.flatMap(verdict => {
    const n = agents.filter(a => a.verdict === verdict).length
    return n === 0 ? [] : `${n} ${verdict}`
  })
  return {
    apiVersion: API_VERSION,
    kind: 'AgentVerification',
    version: VERSION,
    source: sourceInfo(source, diagnosis),
    clusters: clusterInfos(diagnosis),
    summary: agents.length === 0 ? 'no agents' : `${count(agents.length, 'agent')}: ${counts.join(', ')}`,
    agents,
    blockers: agents.filter(a => a.verdict === 'failed' || a.verdict === 'waiting').map(a => `${a.name}: ${a.message}`),
    findings: roots.filter(root => tops.has(root)).map(root => reported(diagnosis, root)),
  }
}
