import { closeSync, openSync, readSync } from 'node:fs'

/** Bytes that are taken part by part. A part is good until the next one is asked for. */
export interface Bytes {
  readonly size: number
  part(from: number, to: number): Buffer
  close(): void
}

export function bytesOf(buffer: Buffer): Bytes {
  return { size: buffer.length, part: (from, to) => buffer.subarray(from, to), close: () => {} }
}

/**
 * A file that need not be in memory as a whole: besides the room, V8 takes large buffers for a reason to collect garbage.
 * Opened when first read.
 */
export class LargeFile implements Bytes {
  readonly size: number
  readonly #path: string
  #fd: number | undefined
  #room = Buffer.alloc(0)

  constructor(path: string, size: number) {
    this.#path = path
    this.size = size
  }

  /** Shorter than asked for at the end of the file. */
  part(from: number, to: number): Buffer {
    this.#fd ??= openSync(this.#path, 'r')
    const length = Math.max(0, Math.min(to, this.size) - from)
    if (this.#room.length < length) this.#room = Buffer.allocUnsafeSlow(length)
    let at = 0
    while (at < length) {
      const count = readSync(this.#fd, this.#room, at, length - at, from + at)
      if (count === 0) break
      at += count
    }
    return this.#room.subarray(0, at)
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
    this.#room = Buffer.alloc(0)
  }
}
