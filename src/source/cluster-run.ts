import { type KindName, kindOfResource, resourceName } from '../fleet/kinds.ts'
import { CoverageBook } from './coverage.ts'
import type { ClusterFile, ClusterLayout, RecordedCluster } from './layout.ts'
import { gatheredKind, gatheredNamespace, NAMESPACE_CONTENTS } from './must-gather.ts'
import { printable } from './printable.ts'
import type { ClusterReport, Coverage } from './source.ts'
import { isIn, join, stemOf } from './tree.ts'

/** Count that the index promises for a file, to be compared with what it holds. */
export interface PlannedFile extends ClusterFile {
  readonly count?: number
}

/** Tells why a file of that path is not there; undefined when it is. */
type Absence = (path: string) => string | undefined

/** One cluster while its files are read. */
export class ClusterRun {
  readonly layout: ClusterLayout
  readonly book = new CoverageBook()
  readonly namespaces = new Set<string>()
  readAt: number | undefined
  /** Why the whole cluster could not be read. */
  unreadable: string | undefined

  constructor(layout: ClusterLayout) {
    this.layout = layout
    if (layout.layout !== 'recording') return
    this.readAt = layout.index?.readAt
    this.unreadable = layout.index?.error
  }

  /** Is the index there, so that only the files that it names count? */
  get indexed(): boolean {
    return this.layout.layout === 'recording' && this.layout.index !== undefined
  }

  /** Kind that lies at a path, where the path tells. */
  kindAt(path: string, folder: boolean): KindName | undefined {
    const { layout } = this
    if (layout.layout !== 'must-gather') return folder ? undefined : kindOfResource(stemOf(path))
    const tree = layout.trees.find(root => isIn(path, root)) ?? ''
    const inside = tree === '' ? path : path.slice(tree.length + 1)
    const kind = gatheredKind(folder ? `${inside}/any.yaml` : inside)
    return kind === 'other' ? undefined : kind
  }

  /** Files to read for the wanted kinds. What is known to fail already goes to the book, and to `problem`. */
  plan(
    wanted: ReadonlySet<KindName>,
    absent: Absence,
    problem: (where: string, message: string) => void,
  ): PlannedFile[] {
    const { layout } = this
    if (layout.layout === 'recording' && layout.index !== undefined)
      return this.#planIndexed(layout, wanted, absent, problem)
    // Without its Namespaces nobody knows which ones a must-gather left out.
    const namespaces = layout.layout === 'must-gather'
    return layout.files.filter(
      file =>
        file.kind === undefined ||
        layout.layout === 'files' ||
        wanted.has(file.kind) ||
        (namespaces && file.kind === 'Namespace'),
    )
  }

  #planIndexed(
    { folder, index }: RecordedCluster,
    wanted: ReadonlySet<KindName>,
    absent: Absence,
    problem: (where: string, message: string) => void,
  ): PlannedFile[] {
    const files: PlannedFile[] = []
    for (const kind of wanted) {
      for (const entry of index?.entries.get(kind) ?? []) {
        const what = resourceName(kind)
        if (entry.within !== undefined) this.book.within(kind, entry.within)
        if (entry.incomplete !== undefined) this.book.lost(kind, entry.incomplete)
        if (entry.error !== undefined) this.book.lost(kind, entry.error)
        else if (entry.notRecorded !== undefined) this.book.unrecorded(kind, entry.notRecorded)
        else if (entry.file === undefined) {
          if (entry.count === 0) this.book.seen(kind)
          else {
            const message = `the index names no file for ${what}, and no count of 0`
            problem(join(folder, 'index'), message)
            this.book.lost(kind, message)
          }
        } else {
          const path = join(folder, entry.file)
          const reason = absent(path)
          if (reason === undefined)
            files.push({ path, kind, ...(entry.count === undefined ? {} : { count: entry.count }) })
          else {
            problem(path, reason)
            this.book.lost(kind, `${printable(path)}: ${reason}`)
          }
        }
      }
    }
    return files
  }

  report(wanted: ReadonlySet<KindName>): ClusterReport {
    const { name, role } = this.layout
    this.#countNamespaces()
    const coverage = new Map<KindName, Coverage>()
    for (const kind of wanted) coverage.set(kind, this.book.of(kind, this.#absent()))
    const serverVersion = this.layout.layout === 'recording' ? this.layout.index?.serverVersion : undefined
    return {
      name,
      role,
      ...(serverVersion === undefined ? {} : { serverVersion }),
      ...(this.readAt === undefined ? {} : { readAt: this.readAt }),
      coverage,
      otherwise: { state: 'not-recorded', reason: 'not asked for in this run' },
    }
  }

  /** What it means that a kind was not seen. */
  #absent(): Coverage {
    if (this.unreadable !== undefined) return { state: 'refused', reason: this.unreadable }
    if (this.indexed) return { state: 'not-served' }
    // Which cluster it is stands before every reason, and its folder with the notes.
    return { state: 'not-recorded', reason: 'nothing of it in the source' }
  }

  /** `oc adm inspect` takes what is in the namespaces that it is told, so a Secret that is not there may well exist. */
  #countNamespaces(): void {
    if (this.layout.layout !== 'must-gather') return
    const gathered = new Set<string>()
    for (const { path } of this.layout.files) {
      const tree = this.layout.trees.find(root => isIn(path, root)) ?? ''
      const namespace = gatheredNamespace(tree === '' ? path : path.slice(tree.length + 1))
      if (namespace !== undefined) gathered.add(namespace)
    }
    const left = [...this.namespaces].filter(namespace => !gathered.has(namespace)).sort()
    const [first] = left
    if (first === undefined) return
    const reason = `only ${gathered.size} of ${gathered.size + left.length} namespaces were gathered, not ${printable(first)}`
    for (const kind of NAMESPACE_CONTENTS) if (this.book.has(kind)) this.book.lost(kind, reason)
  }
}
