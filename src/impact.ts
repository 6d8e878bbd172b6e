import type { Absent } from './checks/check.ts'
import { breaks, type Node } from './checks/fold.ts'
import type { Fleet } from './fleet/fleet.ts'
import { type Way, ways } from './fleet/joins/ways.ts'
import { type Subject, subjectKey } from './fleet/subject.ts'

/** The objects that a finding is about: its subject, and those through which it acts. */
function objectsOf(node: Node): readonly Subject[] {
  const { finding } = node.found
  return [finding.subject, ...(finding.through ?? [])]
}

/** An object of a spoke that is no Application stands for everything that is delivered to that spoke. */
function standsForSpoke(node: Node, s: Subject): boolean {
  return s.cluster !== 'hub' && s.kind !== 'Application' && node.found.finding.through === undefined
}

/** Is a way of a cluster and model that the finding speaks of? A model that could not be told counts as any. */
function concerns(node: Node): (way: Way) => boolean {
  const { models = node.found.check.models } = node.found.finding
  const ofCluster = concernsCluster(node)
  return way => ofCluster(way) && (way.model === 'unknown' || models.includes(way.model))
}

/**
 * Is a way of a cluster that the finding speaks of? Of a finding that explains another one this is all that counts: what it breaks
 * by itself depends on the model, what its consequence breaks on that consequence.
 */
export function concernsCluster({ found }: Node): (way: Way) => boolean {
  const { clusters } = found.finding
  const only = clusters === undefined ? undefined : new Set(clusters)
  return way => only === undefined || only.has(way.cluster)
}

/** The Applications of the hub whose way leads through what a finding is about. */
function touched(fleet: Fleet, node: Node): readonly Way[] {
  const { byCluster, through } = fleet.join(ways)
  const found = new Set<Way>()
  for (const s of objectsOf(node)) {
    const hits = through(subjectKey(s))
    for (const way of hits) found.add(way)
    if (hits.length === 0 && standsForSpoke(node, s)) for (const way of byCluster.get(s.cluster) ?? []) found.add(way)
  }
  return [...found].filter(concerns(node))
}

/** Does one way lead through what a finding is about? `stops` are the keys of its stops; the way may be of an Application that is gone. */
export function touches(node: Node, way: Way, stops: ReadonlySet<string>): boolean {
  if (!concerns(node)(way)) return false
  return objectsOf(node).some(s => stops.has(subjectKey(s)) || (s.cluster === way.cluster && standsForSpoke(node, s)))
}

/** Applications that a finding, and what it explains, keep from being there. */
export function allAbsent(node: Node): readonly Absent[] {
  return [...(node.found.finding.absent ?? []), ...node.children.flatMap(allAbsent)]
}

/** Everything that a finding and what it explains touch, findings that break nothing left out. */
export function allTouched(fleet: Fleet, node: Node, into: Set<Way> = new Set()): Set<Way> {
  if (breaks(node.found)) for (const way of touched(fleet, node)) into.add(way)
  for (const child of node.children) allTouched(fleet, child, into)
  return into
}
