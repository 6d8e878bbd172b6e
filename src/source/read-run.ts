import { SourceError } from '../errors.ts'
import type { KindName } from '../fleet/kinds.ts'
import { ClusterRun } from './cluster-run.ts'
import { type Parsed, parseDocuments } from './documents.ts'
import { Handover } from './handover.ts'
import { takeList } from './json-list.ts'
import type { Layout } from './layout.ts'
import { type Job, Losses } from './losses.ts'
import { parseTimestamp, timestampPaths } from './must-gather.ts'
import { nameOf, visitObjects } from './objects.ts'
import { printable } from './printable.ts'
import { clusterNotes, noHubProblem } from './read-notes.ts'
import type { ObjectSink, SourceReport } from './source.ts'
import { takeText } from './text.ts'
import type { FileContent, FileTree } from './tree.ts'

/** Of more faults in one file only the count is told. */
const MOST_ERRORS = 5

/** Objects of JSON files up to this length are compared by content when they come twice, those of others by resource version. */
const COMPARED_UP_TO = 1024 * 1024

/** One reading of a source: takes the files one by one, hands on the objects, and knows in the end what was not shown. */
export class ReadRun {
  readonly #source: string
  readonly #tree: FileTree
  readonly #layout: Layout
  readonly #wanted: ReadonlySet<KindName>
  readonly #handover: Handover
  readonly #clusters: readonly ClusterRun[]
  readonly #jobs = new Map<string, Job>()
  readonly #timestamps = new Map<string, ClusterRun[]>()
  readonly #losses: Losses
  readonly #managedClusters = new Set<string>()
  /** Objects and lists of kinds of the chain, wanted or not. */
  #known = 0

  constructor(source: string, tree: FileTree, layout: Layout, wanted: ReadonlySet<KindName>, sink: ObjectSink) {
    this.#source = source
    this.#tree = tree
    this.#layout = layout
    this.#wanted = wanted
    this.#handover = new Handover(sink)
    this.#clusters = layout.clusters.map(cluster => new ClusterRun(cluster))
    this.#losses = new Losses(this.#clusters, layout.problems)
    this.#losses.tree(tree, source)
    this.#plan()
  }

  #plan(): void {
    const there = new Set(this.#tree.files.map(file => file.path))
    const gaps = new Map(this.#tree.gaps.map(gap => [gap.path, gap.message]))
    const absent = (path: string) => {
      if (there.has(path)) return undefined
      return gaps.get(path) ?? this.#tree.cutOff ?? 'the index names it, but there is no such file'
    }
    const problem = (where: string, message: string) => {
      if (!gaps.has(where)) this.#losses.problem(where, message)
    }
    for (const cluster of this.#clusters) {
      for (const file of cluster.plan(this.#wanted, absent, problem)) this.#jobs.set(file.path, { ...file, cluster })
      if (cluster.layout.layout !== 'must-gather') continue
      const clock = cluster.layout.trees.flatMap(timestampPaths).find(path => there.has(path))
      if (clock !== undefined) this.#timestamps.set(clock, [...(this.#timestamps.get(clock) ?? []), cluster])
    }
    for (const path of this.#layout.strays) this.#jobs.set(path, { path, kind: undefined, cluster: undefined })
  }

  /** The files to read, in the order of their clusters. */
  paths(): string[] {
    return [...this.#timestamps.keys(), ...this.#jobs.keys()]
  }

  file(path: string, content: FileContent): void {
    const job = this.#jobs.get(path)
    const list = job === undefined ? undefined : takeList(content)
    if (job !== undefined && list !== undefined) {
      this.#documents(job, list, false)
      return
    }
    const decoded = takeText(content)
    for (const cluster of this.#timestamps.get(path) ?? [])
      cluster.readAt = 'failure' in decoded ? undefined : parseTimestamp(decoded.text)
    if (job === undefined) return
    if ('failure' in decoded) {
      this.#losses.lose(job, decoded.failure)
      return
    }
    if (decoded.problem !== undefined) this.#losses.lose(job, decoded.problem)
    // YAML is slow anyway, and only YAML has aliases, whose expansion the comparison bounds.
    const compare = decoded.text.length <= COMPARED_UP_TO || !/^\s*[{[]/.test(decoded.text)
    this.#documents(job, parseDocuments(decoded.text), compare)
  }

  /** @param compare whether an object that comes twice is compared by content. */
  #documents(job: Job, documents: Iterable<Parsed>, compare: boolean): void {
    let errors = 0
    let lists = 0
    let found = 0
    const strays = new Set<KindName>()
    const where = printable(job.path)
    const visitor = {
      object: (kind: KindName, raw: object) => {
        if (kind === job.kind) found++
        if (job.cluster === undefined) strays.add(kind)
        else this.#object(job, job.cluster, kind, raw, where, compare)
      },
      list: (kind: KindName) => {
        lists++
        this.#known++
        job.cluster?.book.seen(kind)
      },
      odd: (message: string) => this.#losses.problem(job.path, message),
      lost: (kind: KindName | undefined, message: string) => this.#losses.lose({ ...job, kind }, message),
      foreign: () => {},
    }
    for (const document of documents) {
      if (document.error === undefined) visitObjects(document.value, job.kind, visitor)
      else if (++errors <= MOST_ERRORS) this.#losses.lose(job, document.error, document.line)
    }
    if (errors > MOST_ERRORS) this.#losses.lose(job, `${errors - MOST_ERRORS} more faults like these`)
    if (strays.size > 0) this.#losses.stray(job.path, strays)
    if (errors === 0) this.#compareWithPromise(job, found, lists)
  }

  /** The file's place said what would be in it, and an index even how much. */
  #compareWithPromise(job: Job, found: number, lists: number): void {
    if (job.kind === undefined || job.cluster === undefined || job.cluster.layout.layout === 'files') return
    if (job.count !== undefined && found < job.count)
      this.#losses.lose(job, `the index counts ${job.count} objects, the file holds ${found}`)
    else if (job.count === 0) job.cluster.book.seen(job.kind)
    else if (found + lists === 0) this.#losses.lose(job, 'it holds no Kubernetes object')
  }

  #object(job: Job, cluster: ClusterRun, kind: KindName, raw: object, where: string, compare: boolean): void {
    this.#known++
    cluster.book.seen(kind)
    const { name, role, layout } = cluster.layout
    if (kind === 'Namespace' || kind === 'ManagedCluster') {
      const id = nameOf(kind, raw)
      if (id !== undefined && kind === 'Namespace') cluster.namespaces.add(id.name)
      if (id !== undefined && kind === 'ManagedCluster' && role === 'hub') this.#managedClusters.add(id.name)
    }
    if (!this.#wanted.has(kind)) return
    const outcome = this.#handover.object(name, kind, raw, where, compare)
    if (outcome === undefined) return
    if ('lost' in outcome) this.#losses.lose({ ...job, kind }, outcome.lost)
    // A must-gather takes some objects by several ways, one after the other: the newer one is good.
    else if (layout !== 'must-gather') this.#losses.problem(job.path, outcome.odd)
  }

  /** @throws SourceError when loose files hold nothing at all. */
  report(): SourceReport {
    if (this.#known === 0 && this.#layout.type === 'files') throw this.#nothing()
    const clusters = this.#clusters.filter(cluster => !isPhantom(cluster))
    const layouts = clusters.map(cluster => cluster.layout)
    const reports = clusters.map(cluster => cluster.report(this.#wanted))
    const asked = this.#wanted.has('ManagedCluster')
    const noHub = asked ? noHubProblem(layouts, reports, this.#source) : undefined
    const notes = asked && noHub === undefined ? clusterNotes(layouts, this.#managedClusters, this.#source) : []
    const [hub] = layouts
    const spokesNamed = hub?.layout === 'recording' && hub.index?.spokesNamed === true
    return {
      ...(spokesNamed ? { spokesNamed } : {}),
      clusters: reports,
      problems: noHub === undefined ? this.#losses.problems : [...this.#losses.problems, noHub],
      notes: [...this.#tree.notes, ...notes],
    }
  }

  #nothing(): SourceError {
    const [first] = this.#losses.problems
    if (first === undefined) return new SourceError(`no object in ${this.#source} of the kinds that fleetctl reads`)
    const line = first.line === undefined ? '' : ` line ${first.line}`
    return new SourceError(`nothing in ${this.#source} can be read: ${first.where}${line}: ${first.message}`)
  }
}

/** A folder beside the clusters that held no object (and could be read): no cluster after all. */
function isPhantom(cluster: ClusterRun): boolean {
  const { layout, role } = cluster.layout
  return layout === 'files' && role === 'spoke' && cluster.book.empty && cluster.unreadable === undefined
}
