import type { Bytes } from './large-file.ts'

/** A file by its path: relative to the source, `/` between the parts. */
export interface TreeFile {
  readonly path: string
}

/** A part of the tree that cannot be read, so that nobody knows what it holds. */
export interface TreeGap {
  readonly path: string
  readonly folder: boolean
  readonly message: string
  /** An archive entry whose name leads out of the archive: its place in the tree is unknown as well. */
  readonly outside?: true
}

/**
 * Content of one file: its bytes, its text where it was read as such, the file itself where it is large, or why there is none.
 * The reader takes the content out, to free memory early.
 */
export type FileContent =
  | {
      bytes?: Buffer | undefined
      text?: string | undefined
      file?: Bytes | undefined
      readonly failure?: never
    }
  | { readonly failure: string; readonly bytes?: never; readonly text?: never; readonly file?: never }

/** Files by name and content, wherever they are: in a folder, in an archive, on standard input. */
export interface FileTree {
  /** Files that may hold objects, sorted by path. */
  readonly files: readonly TreeFile[]
  readonly gaps: readonly TreeGap[]
  /** Why the listing itself is not whole: the archive ends early or is damaged from there on. */
  readonly cutOff: string | undefined
  /** What was passed by on purpose, for the user to know. */
  readonly notes: readonly string[]
  /**
   * Hands over the content of the given files one at a time: in the order asked for, but in the archive's own order
   * where an archive is too large to be held in memory.
   *
   * @throws SourceError when a limit is exceeded; a single file that fails is handed over as a failure.
   */
  read(
    paths: readonly string[],
    visit: (path: string, content: FileContent) => void,
    signal?: AbortSignal,
  ): Promise<void>
}

/** File names that can hold objects; `timestamp` is where a must-gather says when it ran. */
export function isRead(name: string): boolean {
  return /\.(ya?ml|json|jsonl|ndjson)$/i.test(name) || name === 'timestamp'
}

/** Repositories, the data folders behind mounted ConfigMaps, and the twins that macOS puts beside files in archives. */
export function isIgnored(name: string): boolean {
  return (
    name === '.git' || name === '__MACOSX' || name === 'node_modules' || name.startsWith('..') || name.startsWith('._')
  )
}

/** Does a file call itself an archive? */
export function isArchiveName(name: string): boolean {
  return /\.(tar|tar\.gz|tgz|zip)$/i.test(name)
}

/** Plain code unit order, the same on every machine. */
export function byPath(a: TreeFile, b: TreeFile): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}

/** `a/b` of `a/b/c.yaml`; `''` at the top. */
export function dirOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** The last part of a path: `c.yaml` of `a/b/c.yaml`. */
export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** File name without its ending: `applications.argoproj.io` of `hub/applications.argoproj.io.yaml`. */
export function stemOf(path: string): string {
  return baseOf(path).replace(/\.[^.]*$/, '')
}

/** A path below a folder, which is empty for the top. */
export function join(dir: string, name: string): string {
  return dir === '' ? name : `${dir}/${name}`
}

/** Is the path that folder, or inside it? */
export function isIn(path: string, dir: string): boolean {
  return dir === '' || path === dir || path.startsWith(`${dir}/`)
}
