import { breaks, type Node, SEVERITY_RANK } from '../checks/fold.ts'
import { CHECKS } from '../checks/registry.ts'
import { API_VERSION, type ReportedFinding } from '../checks/report.ts'
import { type Diagnosis, diagnose, examine, kindsOn, reported } from '../diagnosis.ts'
import { UsageError } from '../errors.ts'
import { type AppSetLink, appSetKey, appSets, renderFor } from '../fleet/joins/appsets.ts'
import { clusters } from '../fleet/joins/clusters.ts'
import { stopsOf, ways } from '../fleet/joins/ways.ts'
import { type Subject, subject, subjectKey } from '../fleet/subject.ts'
import { isoTime } from '../iso-time.ts'
import type { FleetSource } from '../source/source.ts'
import { clusterInfos, sourceInfo } from '../source-info.ts'
import { VERSION } from '../version.ts'
import { everyNode, findingsOnWay, firstFault, type OnWay } from './fault.ts'
import { type AppRef, type FoundWay, findWay, generatedWay } from './find.ts'
import type { DraftHop, HopBuilder } from './hop-builder.ts'
import { draftHops } from './hops.ts'
import { loadForTrace } from './load.ts'
import { meantInstead } from './suggest.ts'
import type { ApplicationTrace, Hop, HopState, TraceList } from './trace.ts'

export interface TraceOptions {
  readonly signal?: AbortSignal
}

/** The hop that the first fault strikes, where the fault itself is none: of the objects through which it acts, the last on the way. */
function struckHop(builder: HopBuilder, first: Node): number | undefined {
  const { subject: s, through = [] } = first.found.finding
  if (s.kind === 'Application') return undefined
  const hops = through.flatMap(t => (t.kind === 'Application' ? (builder.indexOf(t) ?? []) : []))
  const own = builder.indexOf(s)
  return hops.length === 0 || (own !== undefined && own < Math.max(...hops)) ? undefined : Math.max(...hops)
}

function stateOf(hop: DraftHop, node: Node | undefined, first: Node | undefined, struck: boolean): HopState {
  if (node === undefined) return struck ? 'broken' : hop.state
  return hop.state === 'waiting' && node !== first ? 'waiting' : 'broken'
}

/** Hops with the findings laid over them, and the first fault as a hop of its own where it is none of them. */
function layOver(diagnosis: Diagnosis, found: FoundWay, onWay: readonly OnWay[], first: Node | undefined): Hop[] {
  const { way, remembered } = found
  const builder = draftHops(diagnosis.fleet, way, remembered)
  const bySubject = new Map<string, Node>()
  for (const { node } of onWay) {
    const key = subjectKey(node.found.finding.subject)
    const other = bySubject.get(key)
    if (other === undefined || node === first || SEVERITY_RANK[node.severity] > SEVERITY_RANK[other.severity])
      bySubject.set(key, node)
  }
  if (first !== undefined) {
    const s = first.found.finding.subject
    if (builder.indexOf(s) === undefined) {
      const hung = (first.found.finding.through ?? []).map(t => builder.indexOf(t)).find(i => i !== undefined)
      const since = hung === undefined ? undefined : builder.hops[hung]?.since
      builder.add(s, hung ?? null, 'configures', { message: first.found.finding.message, state: 'broken', since })
    }
    bySubject.set(subjectKey(s), first)
  }
  const hit = first === undefined ? undefined : struckHop(builder, first)
  return builder.hops.map((hop, i): Hop => {
    const node = bySubject.get(subjectKey(hop.subject))
    const finding = node?.found.finding
    const state = stateOf(hop, node, first, i === hit)
    return {
      subject: finding?.subject ?? hop.subject,
      parent: hop.parent,
      edge: hop.edge,
      state,
      since: isoTime(hop.since),
      source: hop.source,
      message: finding?.message ?? hop.message,
      evidence: finding?.evidence ?? hop.evidence,
    }
  })
}

function unseenOf(hops: readonly Hop[]): ApplicationTrace['unseen'] {
  return hops
    .filter(h => h.state === 'unknown')
    .map(h => ({ cluster: h.subject.cluster, resource: `${h.subject.kind}/${h.subject.name}`, reason: h.message }))
}

function traceWay(source: FleetSource, diagnosis: Diagnosis, found: FoundWay): ApplicationTrace {
  const { fleet, roots } = diagnosis
  const { way } = found
  const onWay = findingsOnWay(roots, way, stopsOf(fleet, way))
  const first = firstFault(onWay, way)
  const hops = layOver(diagnosis, found, onWay, first)
  const root = first === undefined ? undefined : roots.find(r => r === first)
  const finding: ReportedFinding | null = first === undefined ? null : reported(diagnosis, root ?? first)
  return {
    apiVersion: API_VERSION,
    kind: 'ApplicationTrace',
    version: VERSION,
    source: sourceInfo(source, diagnosis),
    clusters: clusterInfos(diagnosis),
    application: way.subject,
    model: way.model,
    modelReason: way.link?.reason ?? found.remembered,
    spoke: way.cluster,
    hops,
    firstBroken: first?.found.finding.subject ?? null,
    finding,
    unseen: unseenOf(hops),
  }
}

/**
 * Walks the way of one Application, existing or remembered, and names the first broken hop: that of the doctor's finding.
 *
 * @throws UsageError when nothing knows the name, or several Applications have it.
 */
export async function traceApp(
  source: FleetSource,
  ref: AppRef,
  options: TraceOptions = {},
): Promise<ApplicationTrace> {
  const needed = await loadForTrace(source, ref, kindsOn('spoke', CHECKS), options.signal)
  const diagnosis = needed === undefined ? await diagnose(source, CHECKS, options.signal) : examine(needed, CHECKS)
  return traceWay(source, diagnosis, findWay(diagnosis.fleet, ref))
}

function listTrace(
  source: FleetSource,
  diagnosis: Diagnosis,
  kind: TraceList['kind'],
  of: Subject,
  found: readonly FoundWay[],
): TraceList {
  const traces = found
    .map(f => traceWay(source, diagnosis, f))
    .sort(
      (a, b) =>
        Number(b.firstBroken !== null) - Number(a.firstBroken !== null) ||
        (subjectKey(a.application) < subjectKey(b.application) ? -1 : 1),
    )
  const key = subjectKey(of)
  // A consequence is told under its root, as the doctor does.
  const own = diagnosis.roots.find(root =>
    [...everyNode([root])].some(n => breaks(n.found) && subjectKey(n.found.finding.subject) === key),
  )
  return {
    apiVersion: API_VERSION,
    kind,
    version: VERSION,
    source: sourceInfo(source, diagnosis),
    clusters: clusterInfos(diagnosis),
    subject: of,
    traces,
    finding: own === undefined ? null : reported(diagnosis, own),
  }
}

/** Applications that an ApplicationSet has, those that it should have, and, where nothing is decided, those that it would have. */
export function waysOfAppSet({ fleet }: Pick<Diagnosis, 'fleet'>, link: AppSetLink): FoundWay[] {
  const byKey = fleet.join(ways).byKey
  const own = link.owned.flatMap(app => byKey.get(appSetKey(app)) ?? [])
  const have = new Set(own.map(w => w.key))
  const lacking: FoundWay[] = []
  const decided = new Set(link.generators.flatMap(g => [...g.clusters]))
  const wanted = decided.size > 0 ? [...decided] : [...fleet.join(clusters).remote.map(c => c.meta.name)]
  for (const cluster of wanted.sort()) {
    const rendered = renderFor(fleet, link, cluster)
    if (rendered?.name === undefined || have.has(`${rendered.namespace}/${rendered.name}`)) continue
    const way = generatedWay(fleet, link, cluster, rendered.name, rendered.namespace)
    lacking.push({
      way,
      remembered: decided.has(cluster) ? 'should be generated' : `would be generated if ${cluster} were decided`,
    })
  }
  return [...own.map(way => ({ way, remembered: '' })), ...lacking]
}

/** One trace per Application of an ApplicationSet, broken ones first. @throws UsageError when there is no such one. */
export async function traceAppSet(
  source: FleetSource,
  ref: { readonly namespace?: string; readonly name: string },
  options: TraceOptions = {},
): Promise<TraceList> {
  const diagnosis = await diagnose(source, CHECKS, options.signal)
  const found = diagnosis.fleet
    .join(appSets)
    .all.filter(
      l =>
        l.appSet.meta.name === ref.name && (ref.namespace === undefined || l.appSet.meta.namespace === ref.namespace),
    )
  const [link, second] = found
  if (link === undefined) {
    const where = ref.namespace === undefined ? '' : ` in namespace "${ref.namespace}"`
    throw new UsageError(
      `no ApplicationSet called "${ref.name}"${where} on the hub${meantInstead(diagnosis.fleet, 'appset', ref.name)}`,
    )
  }
  if (second !== undefined) {
    throw new UsageError(
      `"${ref.name}" is ambiguous: ${found.map(l => appSetKey(l.appSet)).join(', ')} (give NAMESPACE/NAME)`,
    )
  }
  return listTrace(source, diagnosis, 'ApplicationSetTrace', link.appSet.subject, waysOfAppSet(diagnosis, link))
}

/** Everything that reaches one managed cluster, broken ones first. @throws UsageError when the hub knows no such cluster. */
export async function traceCluster(source: FleetSource, name: string, options: TraceOptions = {}): Promise<TraceList> {
  const diagnosis = await diagnose(source, CHECKS, options.signal)
  const { fleet } = diagnosis
  const list = fleet.join(ways).byCluster.get(name) ?? []
  if (list.length === 0 && !fleet.join(clusters).byName.has(name))
    throw new UsageError(`the hub knows no ManagedCluster called "${name}"${meantInstead(fleet, 'cluster', name)}`)
  const lacking = fleet
    .join(appSets)
    .all.flatMap(link => waysOfAppSet(diagnosis, link).filter(f => f.way.link === undefined && f.way.cluster === name))
  const found = [...list.map(way => ({ way, remembered: '' })), ...lacking]
  return listTrace(source, diagnosis, 'ClusterTrace', subject('hub', 'ManagedCluster', '', name), found)
}
