import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { SourceError } from '../errors.ts'
import { type Limits, sizeText } from './limits.ts'

/** Bytes that can be read again and again: a file on disk, or what came in through a pipe. */
export interface ByteSource {
  /** For messages, safe to print. */
  readonly name: string
  /** File on disk; absent for bytes in memory. */
  readonly path?: string
  /** Absent for a file on disk. */
  readonly bytes?: Buffer
  /** The first bytes, at most `count`. */
  head(count: number): Promise<Buffer>
  chunks(): AsyncIterable<Buffer>
}

/** Small pieces, so that even a bomb unpacks only a bounded number of bytes at once (64 KiB become at most 64 MiB). */
const CHUNK = 64 * 1024

/** A file, read anew by everybody who asks. @param name as messages call it */
export function fileBytes(path: string, name: string): ByteSource {
  return {
    name,
    path,
    async head(count) {
      const file = await open(path, 'r')
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0)
        return buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
    chunks: () => createReadStream(path, { highWaterMark: CHUNK }),
  }
}

/** Bytes that could be read only once and lie in memory. @param name as messages call it */
export function memoryBytes(bytes: Buffer, name: string): ByteSource {
  return {
    name,
    bytes,
    head: async count => bytes.subarray(0, count),
    async *chunks() {
      for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
    },
  }
}

/**
 * Everything that a stream gives, in memory.
 *
 * @throws SourceError past the limit of one file, or when the stream fails.
 */
export async function drain(stream: NodeJS.ReadableStream, name: string, limits: Limits): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of stream) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part
      size += bytes.length
      if (size > limits.fileBytes)
        throw new SourceError(
          `${name} gives more than ${sizeText(limits.fileBytes)}, the most that fleetctl reads of a stream; write it to files and pass the folder`,
        )
      parts.push(bytes)
    }
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError(`cannot read ${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
  return Buffer.concat(parts)
}
