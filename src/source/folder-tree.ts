import {
  type BigIntStats,
  closeSync,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { join as joinPath } from 'node:path'
import { SourceError } from '../errors.ts'
import { LargeFile } from './large-file.ts'
import { type Limits, Meter, sizeText } from './limits.ts'
import { pacer } from './pace.ts'
import { printable } from './printable.ts'
import { reasonOf } from './system-error.ts'
import {
  byPath,
  type FileContent,
  type FileTree,
  isArchiveName,
  isIgnored,
  isRead,
  join,
  type TreeFile,
  type TreeGap,
} from './tree.ts'

/*
 * Synchronous calls, with a pause for the event loop between them: thousands of small files are read several times faster
 * than through the thread pool.
 */

/**
 * Lists a folder. Symbolic links are followed, except to a folder that they lie in; what is neither a file nor a folder
 * (a pipe would block for ever) is left out.
 *
 * @throws SourceError when the folder itself cannot be read, or a limit is exceeded.
 */
export async function openFolder(root: string, limits: Limits): Promise<FileTree> {
  const walk = new Walk(root, limits)
  await walk.folder(root, '', [], 0)
  walk.files.sort(byPath)
  return {
    files: walk.files,
    gaps: walk.gaps,
    cutOff: undefined,
    notes: walk.notes,
    async read(paths, visit, signal) {
      const meter = new Meter(printable(root), limits)
      const pause = pacer(signal)
      for (const path of paths) {
        visit(path, readFile(joinPath(root, path), limits, meter))
        await pause()
      }
    },
  }
}

class Walk {
  readonly files: TreeFile[] = []
  readonly gaps: TreeGap[] = []
  readonly notes: string[] = []
  readonly #root: string
  readonly #limits: Limits
  readonly #meter: Meter
  readonly #pause = pacer(undefined)

  constructor(root: string, limits: Limits) {
    this.#root = root
    this.#limits = limits
    this.#meter = new Meter(printable(root), limits)
  }

  /** `above` holds the identities of the folders that this one lies in. */
  async folder(full: string, path: string, above: readonly string[], depth: number): Promise<void> {
    let entries: Dirent[]
    let here: string
    try {
      here = identity(statSync(full, { bigint: true }))
      if (above.includes(here)) {
        this.notes.push(`${printable(path)} is a link to a folder that it lies in: not followed`)
        return
      }
      entries = readdirSync(full, { withFileTypes: true })
    } catch (error) {
      if (path === '') throw new SourceError(`cannot read ${printable(this.#root)}: ${reasonOf(error)}`)
      this.gaps.push({ path, folder: true, message: reasonOf(error) })
      return
    }
    if (depth > this.#limits.depth)
      throw new SourceError(
        `${printable(this.#root)} has more than ${this.#limits.depth} folders inside each other, the most that fleetctl reads`,
      )
    for (const entry of entries) {
      if (isIgnored(entry.name)) continue
      this.#meter.file()
      await this.#entry(entry, join(path, entry.name), [...above, here], depth)
      await this.#pause()
    }
  }

  async #entry(entry: Dirent, path: string, above: readonly string[], depth: number): Promise<void> {
    const full = joinPath(this.#root, path)
    let [file, folder] = [entry.isFile(), entry.isDirectory()]
    // Links, and file systems that do not tell types when listing.
    if (!file && !folder) {
      try {
        const stat = statSync(full)
        file = stat.isFile()
        folder = stat.isDirectory()
      } catch (error) {
        // A dead link of any other name would not have been read anyway.
        if (isRead(entry.name) || !entry.name.includes('.'))
          this.gaps.push({ path, folder: !entry.name.includes('.'), message: reasonOf(error) })
        return
      }
    }
    if (folder) await this.folder(full, path, above, depth + 1)
    else if (file && isRead(entry.name)) this.files.push({ path })
    else if (file && isArchiveName(entry.name))
      this.notes.push(`${printable(path)} is an archive inside a folder: not read; pass it by itself`)
    else if (isRead(entry.name)) this.gaps.push({ path, folder: false, message: 'not a regular file' })
  }
}

function identity(stat: BigIntStats): string {
  return `${stat.dev}:${stat.ino}`
}

const LARGE = 8 * 1024 * 1024

/** Reads a regular file up to the limits. */
export function readFile(full: string, limits: Limits, meter: Meter): FileContent {
  let fd: number | undefined
  try {
    fd = openSync(full, 'r')
    const { size } = fstatSync(fd)
    if (size > limits.fileBytes)
      return {
        failure: `it has ${sizeText(size)}, more than the ${sizeText(limits.fileBytes)} that are read of one file`,
      }
    meter.bytes(size)
    return (size > LARGE ? readLarge(fd, full, size) : undefined) ?? readBytes(fd, size)
  } catch (error) {
    if (error instanceof SourceError) throw error
    return { failure: reasonOf(error) }
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

function readBytes(fd: number, size: number): FileContent {
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  while (at < size) {
    const count = readSync(fd, bytes, at, size - at, at)
    if (count === 0) return { failure: 'it became shorter while it was read' }
    at += count
  }
  return { bytes }
}

/**
 * A large file as UTF-8 text, without its bytes ever being in JavaScript's memory beside the text, which is half of what reading
 * takes; or the file itself where it may be a JSON list, which is read in parts. Undefined for another encoding, or where a
 * character was, or may have been, replaced.
 */
function readLarge(fd: number, full: string, size: number): FileContent | undefined {
  const head = Buffer.alloc(4)
  readSync(fd, head, 0, head.length, 0)
  if (head.includes(0) || (head[0] ?? 0) >= 0xfe) return undefined
  if (/^\s*\{/.test(head.toString('latin1'))) return { file: new LargeFile(full, size) }
  const text = readFileSync(fd, 'utf8')
  if (text.includes('\ufffd') || text.includes('\0')) return undefined
  return { text: text.startsWith('\ufeff') ? text.slice(1) : text }
}
