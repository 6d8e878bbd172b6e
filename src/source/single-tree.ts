import type { FileContent, FileTree } from './tree.ts'

/** A tree of one file. `load` is called for each reading, so that the content need not stay in memory. */
export function singleFile(path: string, load: () => FileContent, cutOff?: string): FileTree {
  return {
    files: [{ path }],
    gaps: [],
    cutOff,
    notes: [],
    async read(paths, visit) {
      if (paths.includes(path)) visit(path, load())
    },
  }
}
