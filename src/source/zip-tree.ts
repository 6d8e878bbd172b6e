import { crc32 } from 'node:zlib'
// yauzl: reads the central directory as the format asks for, opens entries one by one, checks their stated sizes, has one
// small dependency and types; streaming unzippers trust local headers, which a hostile archive can make differ.
import { type Entry, fromBufferPromise, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { SourceError } from '../errors.ts'
import { ArchiveNames } from './archive-names.ts'
import type { ByteSource } from './byte-source.ts'
import { type Limits, Meter, sizeText } from './limits.ts'
import { printable } from './printable.ts'
import { byPath, type FileContent, type FileTree } from './tree.ts'

/**
 * A zip archive.
 *
 * @throws SourceError when its directory cannot be read (it stands at the end, so a zip that is cut off has none), or a
 * limit is exceeded.
 */
export async function openZip(source: ByteSource, limits: Limits): Promise<FileTree> {
  const entries = new Map<string, Entry>()
  const names = new ArchiveNames()
  const meter = new Meter(source.name, limits)
  const zip = await openFile(source)
  try {
    for await (const entry of zip.eachEntry()) {
      meter.file()
      // Names are decoded here and not by yauzl, which would refuse the whole archive for one bad name.
      const raw = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
      if (raw.endsWith('/')) continue
      const path = names.take(raw)
      if (path !== undefined) entries.set(path, entry)
    }
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw damaged(source, error)
  } finally {
    zip.close()
  }
  checkRatio(entries.values(), meter)
  return {
    files: [...entries.keys()].map(path => ({ path })).sort(byPath),
    gaps: names.gaps,
    cutOff: undefined,
    notes: names.notes,
    async read(paths, visit, signal) {
      const total = new Meter(source.name, limits)
      const file = await openFile(source)
      try {
        for (const path of paths) {
          const entry = entries.get(path)
          if (entry === undefined) continue
          visit(path, await content(file, entry, limits, total))
          signal?.throwIfAborted()
        }
      } finally {
        file.close()
      }
    },
  }
}

/** Each entry for itself, and all together: many small bombs make a large one. */
function checkRatio(entries: Iterable<Entry>, meter: Meter): void {
  let [unpacked, packed] = [0, 0]
  for (const entry of entries) {
    meter.ratio(entry.uncompressedSize, entry.compressedSize)
    unpacked += entry.uncompressedSize
    packed += entry.compressedSize
  }
  meter.ratio(unpacked, packed)
}

async function openFile(source: ByteSource): Promise<ZipFile> {
  const options = { decodeStrings: false, lazyEntries: true, autoClose: false }
  try {
    return source.path === undefined
      ? await fromBufferPromise(source.bytes ?? Buffer.alloc(0), options)
      : await openPromise(source.path, options)
  } catch (error) {
    throw damaged(source, error)
  }
}

function damaged(source: ByteSource, error: unknown): SourceError {
  const reason = error instanceof Error ? error.message.toLowerCase() : String(error)
  return new SourceError(`${source.name} is cut off or no zip archive: ${printable(reason)}`)
}

async function content(zip: ZipFile, entry: Entry, limits: Limits, total: Meter): Promise<FileContent> {
  const size = entry.uncompressedSize
  if (size > limits.fileBytes)
    return {
      failure: `it has ${sizeText(size)}, more than the ${sizeText(limits.fileBytes)} that are read of one file`,
    }
  if (entry.isEncrypted()) return { failure: 'it is encrypted' }
  total.bytes(size)
  try {
    const parts: Buffer[] = []
    for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part)
    const bytes = Buffer.concat(parts)
    // yauzl leaves the checksum to its caller.
    return crc32(bytes) === entry.crc32 ? { bytes } : { failure: 'it is damaged in the archive' }
  } catch {
    return { failure: 'it is damaged in the archive' }
  }
}
