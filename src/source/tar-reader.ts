// tar-stream: the tar reader of npm's own ecosystem, without any code that writes files; it knows pax and GNU long names,
// bounds its headers, ships types, and client-node brings it anyway. Gzip is node:zlib's.
import { extract, type Header } from 'tar-stream'
import { SourceError } from '../errors.ts'
import type { ByteSource } from './byte-source.ts'
import { gunzip } from './gunzip.ts'
import type { Meter } from './limits.ts'
import { pacer } from './pace.ts'

interface TarVisitor {
  /** Every entry, in order. Returns whether its content is wanted. */
  entry(header: Header, ordinal: number): boolean
  /** The entry was there to its end; with its content where that was wanted. */
  whole(ordinal: number, content: Buffer | undefined): void
}

/**
 * Reads a tar archive, gzipped or not, as a stream: no more in memory than one wanted entry.
 *
 * @returns why the archive could not be read to its end, or undefined.
 * @throws SourceError from the meter, what the visitor throws, and the signal's reason.
 */
export async function readTar(
  source: ByteSource,
  gzipped: boolean,
  meter: Meter,
  visitor: TarVisitor,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const tar = extract()
  let count = 0
  let broken: string | undefined
  let thrown: { error: unknown } | undefined
  const attempt = (work: () => void) => {
    if (thrown !== undefined) return
    try {
      work()
    } catch (error) {
      thrown = { error }
      tar.destroy()
    }
  }
  tar.on('error', error => {
    broken ??= /end of data/i.test(error.message) ? 'it is cut off' : 'it is damaged'
  })
  tar.on('entry', (header, stream, next) => {
    const ordinal = count++
    const parts: Buffer[] = []
    let wanted = false
    attempt(() => {
      wanted = visitor.entry(header, ordinal)
    })
    stream.on('error', () => {})
    stream.on('data', part => {
      if (wanted && Buffer.isBuffer(part)) parts.push(part)
    })
    stream.on('end', () => {
      attempt(() => visitor.whole(ordinal, wanted ? Buffer.concat(parts) : undefined))
      next()
    })
  })
  const closed = new Promise<void>(done => {
    tar.once('close', done)
  })
  const pause = pacer(signal)
  let full = false
  let drained: (() => void) | undefined
  // Listening all the time: it may drain before anybody waits for it.
  tar.on('drain', () => {
    full = false
    drained?.()
  })
  const write = (piece: Buffer) => {
    meter.unpacked(piece.length)
    if (!tar.destroying) full = !tar.write(piece) || full
  }
  const between = async () => {
    if (full && !tar.destroying) {
      const drain = new Promise<void>(done => {
        drained = done
      })
      await Promise.race([closed, drain])
    }
    if (thrown !== undefined) throw thrown.error
    await pause()
  }
  try {
    if (gzipped) {
      await gunzip(source.chunks(), write, packed => {
        meter.packed(packed)
        return between()
      })
    } else {
      for await (const piece of source.chunks()) {
        meter.packed(piece.length)
        write(piece)
        await between()
        if (broken !== undefined) break
      }
    }
  } catch (error) {
    const reason = damage(error)
    if (reason === undefined || thrown !== undefined) {
      tar.destroy()
      await closed
      throw thrown?.error ?? error
    }
    broken ??= reason
  }
  if (!tar.destroying) tar.end(null)
  await closed
  if (thrown !== undefined) throw thrown.error
  return broken
}

/** What zlib's and the disk's errors mean for an archive; undefined for errors of another kind. */
export function damage(error: unknown): string | undefined {
  if (error instanceof SourceError || typeof error !== 'object' || error === null || !('code' in error))
    return undefined
  if (error.code === 'Z_BUF_ERROR') return 'it is cut off'
  if (typeof error.code === 'string' && error.code.startsWith('Z_')) return 'it is damaged'
  return typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)
    ? `it cannot be read (${error.code})`
    : undefined
}
