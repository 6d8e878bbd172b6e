import type { KindName } from '../fleet/kinds.ts'
import type { ClusterRun, PlannedFile } from './cluster-run.ts'
import { printable } from './printable.ts'
import type { SourceProblem } from './source.ts'
import { type FileTree, isIn } from './tree.ts'

/** A file that is being read. */
export interface Job extends PlannedFile {
  /** Undefined for a file that lies in no cluster's folder. */
  readonly cluster: ClusterRun | undefined
}

/** What one reading of a source loses: each loss is a problem to tell, and a gap in what is known of some kind. */
export class Losses {
  readonly problems: SourceProblem[]
  readonly #clusters: readonly ClusterRun[]

  constructor(clusters: readonly ClusterRun[], problems: readonly SourceProblem[]) {
    this.#clusters = clusters
    this.problems = [...problems]
  }

  /** Worth telling; whether something is lost is said elsewhere. */
  problem(where: string, message: string, line?: number): void {
    this.problems.push({ where: printable(where), message, ...(line === undefined ? {} : { line }) })
  }

  /** Something of a file is lost: of its kind, or of every kind where its place does not tell one. */
  lose(job: Job, message: string, line?: number): void {
    if (job.lenient) return
    this.problem(job.path, message, line)
    const reason = `${printable(job.path)}${line === undefined ? '' : ` line ${line}`}: ${message}`
    if (job.cluster !== undefined) job.cluster.book.lost(job.kind, reason)
    else this.#anything(reason)
  }

  /** A file with objects that no cluster's folder holds: they may be any cluster's. */
  stray(path: string, kinds: ReadonlySet<KindName>): void {
    const message = `it holds objects but lies in no cluster's folder: not read`
    this.problem(path, message)
    for (const cluster of this.#clusters)
      for (const kind of kinds) cluster.book.lost(kind, `${printable(path)}: ${message}`)
  }

  /** Parts of the tree that could not even be listed. */
  tree(tree: FileTree, source: string): void {
    for (const gap of tree.gaps) {
      this.problem(gap.path, gap.message)
      const reason = `${printable(gap.path)}: ${gap.message}`
      const owner = gap.outside ? undefined : this.#clusters.find(cluster => isIn(gap.path, cluster.layout.folder))
      if (owner === undefined) this.#anything(reason)
      else if (owner.layout.folder === gap.path) owner.unreadable = reason
      else if (!owner.indexed) owner.book.lost(owner.kindAt(gap.path, gap.folder), reason)
    }
    if (tree.cutOff === undefined) return
    this.problem(source, `${tree.cutOff}: what comes after is missing`)
    this.#anything(`${source}: ${tree.cutOff}`)
  }

  /** Nobody knows of which cluster and kind. Where an index tells what there is, nothing else counts. */
  #anything(reason: string): void {
    for (const cluster of this.#clusters) if (!cluster.indexed) cluster.book.lost(undefined, reason)
  }
}
