import type { KindName } from '../fleet/kinds.ts'
import type { Layout } from './layout.ts'
import { ReadRun } from './read-run.ts'
import type { FleetSource, ObjectSink, SourceReport } from './source.ts'
import type { FileTree } from './tree.ts'

/** A fleet in files: recorded, gathered or loose. It can be read several times. */
export class PathSource implements FleetSource {
  readonly type: Layout['type']
  readonly name: string
  readonly #tree: FileTree
  readonly #layout: Layout

  constructor(name: string, tree: FileTree, layout: Layout) {
    this.type = layout.type
    this.name = name
    this.#tree = tree
    this.#layout = layout
  }

  async read(wanted: ReadonlySet<KindName>, sink: ObjectSink, signal?: AbortSignal): Promise<SourceReport> {
    signal?.throwIfAborted()
    const run = new ReadRun(this.name, this.#tree, this.#layout, wanted, sink)
    await this.#tree.read(run.paths(), (path, content) => run.file(path, content), signal)
    return run.report()
  }
}
