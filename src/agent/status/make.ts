import { heardAt, isPartOfAgent } from '../../checks/agent/agent-support.ts'
import { breaks, type Node, ownSeverity } from '../../checks/fold.ts'
import { API_VERSION, type ReportedFinding } from '../../checks/report.ts'
import { count, names } from '../../checks/support.ts'
import { type Diagnosis, reported } from '../../diagnosis.ts'
import { blindTo } from '../../fleet/blind.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { subject } from '../../fleet/subject.ts'
import { isoTime } from '../../iso-time.ts'
import type { FleetSource } from '../../source/source.ts'
import { clusterInfos, sourceInfo } from '../../source-info.ts'
import { everyNode } from '../../trace/fault.ts'
import { VERSION } from '../../version.ts'
import { agentOf } from './agent.ts'
import { agentParts } from './agent-parts.ts'
import { FindingIndex } from './finding-index.ts'
import { byGravity, gravest, type Parts, partFinding } from './parts.ts'
import { agentPlaces, type Place } from './place.ts'
import { principalParts } from './principal-parts.ts'
import { modeOf, routedApplications } from './routed.ts'
import type { AgentEntry, AgentStatus, PartState, PartStatus, PrincipalStatus } from './status.ts'

/** Gathers what is told of all places, and which findings were told with it. */
interface Told {
  readonly diagnosis: Diagnosis
  readonly findings: FindingIndex
  /** Findings that have a part. */
  readonly placed: Set<Node>
  readonly unseen: AgentStatus['unseen'][number][]
}

function tell(parts: Parts, { findings, placed, unseen }: Told): PartStatus[] {
  unseen.push(...parts.unseen)
  return parts.told(findings, placed)
}

/** What is unknown counts only where nothing shows that it works: the status of a connected agent proves the way that it came. */
function stateOf(parts: readonly PartStatus[], isProven: boolean): PartState {
  const states = parts.map(p => p.state)
  return gravest(isProven ? states.filter(state => state !== 'unknown') : states)
}

function agentEntry(told: Told, place: Place, name: string): AgentEntry {
  const { diagnosis } = told
  const links = place.routed.get(name) ?? []
  const parts = tell(agentParts(agentOf(place, name)), told)
  const { applications: mine, faults } = routedApplications(diagnosis, links)
  for (const fault of faults) told.placed.add(fault)
  const broken = mine.filter(a => a.state === 'broken').length
  const newest = Math.max(0, ...links.map(heardAt))
  const own: PartStatus = {
    part: 'applications',
    subject: subject('hub', 'ManagedCluster', '', name),
    state: gravest(mine.map(a => a.state)),
    since: isoTime(newest),
    message: `${count(mine.length, 'Application')}${broken === 0 ? '' : `, ${broken} broken`}`,
    findings: [...faults].map(partFinding),
    ask: '',
  }
  const all = [...parts, own]
  const modes = place.registrars.filter(r => r.decided?.clusters.has(name) === true).map(r => r.goc.agentMode)
  const isProven = parts.some(p => p.part === 'connection' && p.state === 'ok')
  return {
    name,
    mode: modeOf(links, modes),
    state: stateOf(all, isProven),
    heardAt: isoTime(newest),
    parts: all,
    applications: mine,
  }
}

function principalStatus(told: Told, place: Place, only: readonly string[]): PrincipalStatus {
  const parts = tell(principalParts(place), told)
  const agents = place.agents
    .filter(name => only.length === 0 || only.includes(name))
    .map(name => agentEntry(told, place, name))
    .sort((a, b) => byGravity(a.state, b.state) || (a.name < b.name ? -1 : 1))
  const isProven = agents.length > 0 && agents.every(a => a.state !== 'unknown')
  const { principal } = place
  const argo = principal?.argo ?? place.fleet.hub.of('ArgoCD').in(place.namespace)[0]
  return {
    subject: argo?.subject ?? subject('hub', 'ArgoCD', place.namespace, ''),
    state: gravest([stateOf(parts, isProven), ...agents.map(a => a.state)]),
    mapping: principal === undefined ? '' : principal.settings.destinationBasedMapping ? 'destination' : 'namespace',
    setup: principal === undefined ? '' : principal.argo.controllerEnabled ? 'hybrid' : 'principal-only',
    parts,
    agents,
  }
}

/** What a hub without agent mode has instead. */
function withoutAgents(fleet: Fleet): string {
  const all = fleet.join(applications).all
  const models = ['push', 'pull', 'local', 'unknown'] as const
  const counts = models.flatMap(model => {
    const n = all.filter(l => l.model === model).length
    return n === 0 ? [] : `${n} ${model}`
  })
  const other = fleet.hub.of('Deployment').all.filter(d => isPartOfAgent(d, 'principal'))
  const loose =
    other.length === 0
      ? ''
      : ` Deployment ${names(other.map(d => `${d.meta.namespace}/${d.meta.name}`))} runs a principal that no ArgoCD describes; it was installed without the operator and is not looked at.`
  const there = all.length === 0 ? 'no Applications' : `${count(all.length, 'Application')}: ${counts.join(', ')}`
  return `Agent mode is off: no Argo CD of this hub is a principal, and no GitOpsCluster registers agents (${there}).${loose}`
}

function summaryOf(fleet: Fleet, principals: readonly PrincipalStatus[]): string {
  const blind = blindTo(fleet, subject('hub', 'ArgoCD', '', ''))
  if (blind !== undefined) return `Whether there is a principal cannot be told (${blind}).`
  if (principals.length === 0) return withoutAgents(fleet)
  const agents = principals.flatMap(p => p.agents)
  const states = (['broken', 'unknown', 'stale', 'waiting', 'ok'] as const).flatMap(state => {
    const n = agents.filter(a => a.state === state).length
    return n === 0 ? [] : `${n} ${state}`
  })
  return `${count(principals.length, 'principal')}, ${count(agents.length, 'agent')}${states.length === 0 ? '' : ` (${states.join(', ')})`}.`
}

/** The roots of some findings, most important first. */
function rootsOf(diagnosis: Diagnosis, wanted: (node: Node) => boolean): ReportedFinding[] {
  const tops = new Set<Node>()
  for (const node of everyNode(diagnosis.roots)) {
    if (!wanted(node)) continue
    let top = node
    while (top.parent !== undefined) top = top.parent
    tops.add(top)
  }
  return diagnosis.roots.filter(root => tops.has(root)).map(root => reported(diagnosis, root))
}

/** Does a finding speak of one of these agents, or of none in particular? No names stand for all agents. */
function speaksOf({ found }: Node, agents: readonly string[]): boolean {
  const { clusters, subject: at } = found.finding
  const named = clusters ?? (at.cluster === 'hub' ? [] : [at.cluster])
  return agents.length === 0 || named.length === 0 || named.some(name => agents.includes(name))
}

export interface AgentStatusOptions {
  /** Agents to tell of; empty or absent: all. */
  readonly spokes?: readonly string[]
}

/** What agent mode looks like, part by part, with the doctor's findings laid over the parts. */
export function agentStatus(source: FleetSource, diagnosis: Diagnosis, options: AgentStatusOptions = {}): AgentStatus {
  const { fleet } = diagnosis
  const told: Told = {
    diagnosis,
    findings: new FindingIndex([...everyNode(diagnosis.roots)]),
    placed: new Set(),
    unseen: [],
  }
  const principals = agentPlaces(fleet).map(place => principalStatus(told, place, options.spokes ?? []))
  const blind = blindTo(fleet, subject('hub', 'ArgoCD', '', ''))
  if (blind !== undefined) told.unseen.push({ cluster: 'hub', resource: 'ArgoCD', reason: blind })
  const isBad = (node: Node): boolean => breaks(node.found) || ownSeverity(node.found) !== 'info'
  return {
    apiVersion: API_VERSION,
    kind: 'AgentStatus',
    version: VERSION,
    source: sourceInfo(source, diagnosis),
    clusters: clusterInfos(diagnosis),
    state: blind === undefined ? gravest(principals.map(p => p.state)) : 'unknown',
    summary: summaryOf(fleet, principals),
    principals,
    findings: rootsOf(diagnosis, node => told.placed.has(node) && isBad(node)),
    elsewhere: rootsOf(
      diagnosis,
      node =>
        node.parent === undefined &&
        node.found.check.category === 'agent' &&
        !told.placed.has(node) &&
        speaksOf(node, options.spokes ?? []),
    ),
    unseen: told.unseen,
  }
}
