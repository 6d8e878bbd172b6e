import { ArchiveNames } from './archive-names.ts'
import type { ByteSource } from './byte-source.ts'
import { type Limits, Meter, sizeText } from './limits.ts'
import { readTar } from './tar-reader.ts'
import { byPath, type FileContent, type FileTree } from './tree.ts'

/** An archive whose files are no more than this together is held in memory; a bigger one is streamed again for reading. */
const HELD_BYTES = 64 * 1024 * 1024

interface Entry {
  readonly ordinal: number
  readonly size: number
  content: Buffer | undefined
}

/**
 * A tar archive, gzipped or not. The first pass lists it.
 *
 * @throws SourceError when a limit is exceeded.
 */
export async function openTar(source: ByteSource, gzipped: boolean, limits: Limits): Promise<FileTree> {
  const entries = new Map<string, Entry>()
  const names = new ArchiveNames()
  const open = new Map<number, string>()
  const meter = new Meter(source.name, limits)
  let held: number | undefined = 0
  const cutOff = await readTar(source, gzipped, meter, {
    entry(header, ordinal) {
      meter.file()
      if (header.type === 'directory') return false
      const path = names.take(header.name)
      if (path === undefined) return false
      if (header.type !== 'file' && header.type !== 'contiguous-file') {
        names.gap(path, 'it is a link or a device: only plain files in archives are read')
        return false
      }
      open.set(ordinal, path)
      // A name that comes twice is a later state of the same file: the last one counts, as for tar itself.
      const before = entries.get(path)
      if (before?.content !== undefined && held !== undefined) held -= before.size
      entries.set(path, { ordinal, size: header.size, content: undefined })
      if (held === undefined || header.size > limits.fileBytes) return false
      held += header.size
      if (held <= HELD_BYTES) return true
      held = undefined
      for (const entry of entries.values()) entry.content = undefined
      return false
    },
    whole(ordinal, content) {
      const path = open.get(ordinal)
      if (path === undefined) return
      open.delete(ordinal)
      const entry = entries.get(path)
      if (entry !== undefined && held !== undefined) entry.content = content
    },
  })
  for (const path of open.values()) {
    entries.delete(path)
    names.gap(path, 'the archive ends in the middle of it')
  }
  const tooLarge = (entry: Entry): FileContent | undefined =>
    entry.size <= limits.fileBytes
      ? undefined
      : {
          failure: `it has ${sizeText(entry.size)}, more than the ${sizeText(limits.fileBytes)} that are read of one file`,
        }
  return {
    files: [...entries.keys()].map(path => ({ path })).sort(byPath),
    gaps: names.gaps,
    cutOff,
    notes: names.notes,
    async read(paths, visit, signal) {
      const waiting = new Map<number, string>()
      for (const path of paths) {
        const entry = entries.get(path)
        if (entry === undefined) continue
        const failure = tooLarge(entry)
        if (failure !== undefined) visit(path, failure)
        else if (entry.content !== undefined) visit(path, { bytes: entry.content })
        else waiting.set(entry.ordinal, path)
        signal?.throwIfAborted()
      }
      if (waiting.size === 0) return
      const again = {
        entry: (_: unknown, ordinal: number) => waiting.has(ordinal),
        whole(ordinal: number, bytes: Buffer | undefined) {
          const path = waiting.get(ordinal)
          if (path === undefined) return
          waiting.delete(ordinal)
          visit(path, { bytes })
        },
      }
      await readTar(source, gzipped, new Meter(source.name, limits), again, signal)
      for (const path of waiting.values()) visit(path, { failure: 'the archive changed while it was read' })
    },
  }
}
