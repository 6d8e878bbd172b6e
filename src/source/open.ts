import type { Limits } from './limits.ts'
import type { FleetSource } from './source.ts'

export interface OpenPathOptions {
  /** Folder, relative to the path, that is the hub. `.`: everything is the hub. */
  readonly hub?: string
  /** What the path `-` reads; the process's own standard input when absent. */
  readonly stdin?: NodeJS.ReadableStream
  readonly limits?: Partial<Limits>
}

/**
 * Opens a fleet that was recorded or dumped to files: a recorded fleet, a must-gather, loose YAML or JSON, as a folder, one
 * file, `-` for standard input, or an archive of those. Lists the files and finds the clusters; `read` reads the objects.
 *
 * Everything that parses or unpacks is loaded here and not before, so that commands without a path start fast.
 *
 * @throws SourceError when there is nothing at the path, no way to tell which cluster is the hub, or a limit is exceeded.
 */
export async function openPath(path: string, options: OpenPathOptions = {}): Promise<FleetSource> {
  const [{ DEFAULT_LIMITS }, { openTree }, { layoutOf }, { PathSource }, { printable }] = await Promise.all([
    import('./limits.ts'),
    import('./open-tree.ts'),
    import('./layout.ts'),
    import('./path-source.ts'),
    import('./printable.ts'),
  ])
  const tree = await openTree(path, options.stdin, { ...DEFAULT_LIMITS, ...options.limits })
  const name = path === '-' ? 'standard input' : printable(path)
  const base =
    path
      .replaceAll('\\', '/')
      .split('/')
      .findLast(part => part !== '' && part !== '.') ?? ''
  return new PathSource(name, tree, await layoutOf(tree, name, base, options.hub))
}
