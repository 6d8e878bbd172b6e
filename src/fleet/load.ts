import type { FleetSource, ObjectSink, SourceProblem, SourceReport } from '../source/source.ts'
import { ClusterView, Fleet } from './fleet.ts'
import type { KindName } from './kinds.ts'
import { getOrAdd } from './maps.ts'
import { newestTime } from './newest.ts'
import { noCel } from './placement/cel.ts'
import { type FieldNote, projectObject } from './project/index.ts'
import type { Base, Placement } from './records.ts'
import { type Subject, subject, subjectText } from './subject.ts'
import { Table } from './table.ts'

/** A field or object that could not be used because its type was wrong; everything else of it was kept. */
export interface LostField {
  readonly subject: Subject
  readonly kind: KindName
  /** Of the field, as in evidence: `.status.conditions`; empty for an object that is none. */
  readonly path: string
  readonly text: string
}

export interface LoadedFleet {
  readonly fleet: Fleet
  readonly report: SourceReport
  readonly problems: readonly SourceProblem[]
  readonly lost: readonly LostField[]
}

function usesCel(rows: ReadonlyMap<string, ReadonlyMap<KindName, readonly Base[]>>): boolean {
  const placements = (rows.get('hub')?.get('Placement') ?? []) as readonly Placement[]
  return placements.some(p => p.predicates.some(predicate => predicate.celExpressions.length > 0))
}

/** More than this many notes about wrong types say nothing new. */
const MOST_LOST = 1000

/**
 * Reads the wanted kinds from a source and builds the typed fleet. Raw objects are projected as they come and dropped.
 *
 * @param onSpokes those of the wanted kinds that matter on spokes: a live spoke is asked for no others
 *
 * @throws SourceError when the source can show nothing at all.
 */
export async function loadFleet(
  source: FleetSource,
  wanted: ReadonlySet<KindName>,
  signal?: AbortSignal,
  onSpokes: ReadonlySet<KindName> = wanted,
): Promise<LoadedFleet> {
  const rows = new Map<string, Map<KindName, Base[]>>()
  const lost: LostField[] = []
  const noted = new Set<string>()
  const project = (cluster: string, kind: KindName, raw: unknown, where: string): Base | undefined => {
    const notes: FieldNote[] = []
    const record = projectObject(kind, cluster, raw, notes)
    for (const note of notes) {
      // Every kind of every cluster keeps at least one note, by which its checks are known not to have seen all.
      if (lost.length >= MOST_LOST && noted.has(`${cluster} ${kind}`)) break
      noted.add(`${cluster} ${kind}`)
      const at = record?.subject ?? subject(cluster, kind, '', where)
      const text = `${subjectText(at)}${note.path}: expected ${note.expected}, found ${note.found}`
      lost.push({ subject: at, kind, path: note.path, text })
    }
    return record
  }
  const listOf = (cluster: string, kind: KindName): Base[] =>
    getOrAdd(
      getOrAdd(rows, cluster, () => new Map<KindName, Base[]>()),
      kind,
      () => [],
    )
  /** Where the objects of a list stand, as far as was needed yet. */
  const places = new Map<Base[], { known: number; readonly of: Map<string, number> }>()
  const sink: ObjectSink = {
    object(cluster, kind, raw, where) {
      const record = project(cluster, kind, raw, where)
      if (record !== undefined) listOf(cluster, kind).push(record)
    },
    replace(cluster, kind, raw, where) {
      const record = project(cluster, kind, raw, where)
      if (record === undefined) return
      const list = listOf(cluster, kind)
      const place = getOrAdd(places, list, () => ({ known: 0, of: new Map<string, number>() }))
      for (const { meta } of list.slice(place.known)) place.of.set(`${meta.namespace}/${meta.name}`, place.known++)
      const at = place.of.get(`${record.meta.namespace}/${record.meta.name}`)
      if (at === undefined) list.push(record)
      else list[at] = record
    },
  }
  const report = await source.read(wanted, sink, signal, onSpokes)
  const now = report.clusters.find(c => c.role === 'hub')?.readAt ?? newestTime(rows)
  const views = new Map<string, ClusterView>()
  for (const cluster of report.clusters) {
    const tables = new Map<KindName, Table<never>>()
    for (const [kind, list] of rows.get(cluster.name) ?? [])
      tables.set(kind, new Table(list) as unknown as Table<never>)
    views.set(cluster.name, new ClusterView(cluster, cluster.readAt ?? now, tables, undefined))
  }
  const cel = usesCel(rows) ? await (await import('./placement/load-cel.ts')).loadCel() : noCel
  return {
    fleet: Fleet.of(now, report.clusters, views, { cel, spokesNamed: report.spokesNamed ?? false }),
    report,
    problems: report.problems,
    lost,
  }
}
