import { closeSync, openSync, readSync } from 'node:fs'
import { skipSpace } from './json-scan.ts'

/** Bytes that are taken part by part. A part is good until the next one is asked for. */
export interface Bytes {
  readonly size: number
  part(from: number, to: number): Buffer
  close(): void
}

/** Bytes that lie in memory already. */
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

/** Bytes at hand at a time, where nothing is larger. */
export const PART = 4 * 1024 * 1024

/** The part of the file that is at hand, and a place in it that moves on. */
export class Place {
  readonly #bytes: Bytes
  readonly #end: number
  #size = PART
  #base = 0
  /** Lines are counted only where one is asked for: up to here. */
  #counted = 0
  #line = 1
  part: Buffer = Buffer.alloc(0)
  at = 0

  constructor(bytes: Bytes, start: number, end: number) {
    this.#bytes = bytes
    this.#end = end
    this.#goTo(start)
  }

  /** Place in the file. */
  get offset(): number {
    return this.#base + this.at
  }

  /** Does what is at hand go to the end? */
  get whole(): boolean {
    return this.#base + this.part.length >= this.#end
  }

  get done(): boolean {
    return this.offset >= this.#end
  }

  /** Takes what comes behind, and more of it where the part begins with the place. */
  more(): void {
    if (this.at === 0) this.#size *= 2
    this.#goTo(this.offset)
  }

  skipSpace(): void {
    this.at = skipSpace(this.part, this.at)
    while (this.at >= this.part.length && !this.whole) {
      this.#goTo(this.offset)
      this.at = skipSpace(this.part, 0)
    }
  }

  /** Line of the place, 1-based. */
  line(): number {
    if (this.#counted < this.#base) {
      while (this.#counted < this.#base) {
        const to = Math.min(this.#counted + PART, this.#base)
        this.#line += linesIn(this.#bytes.part(this.#counted, to))
        this.#counted = to
      }
      this.#load()
    }
    this.#line += linesIn(this.part.subarray(this.#counted - this.#base, this.at))
    this.#counted = this.offset
    return this.#line
  }

  #goTo(offset: number): void {
    this.#base = offset
    this.at = 0
    this.#load()
  }

  #load(): void {
    this.part = this.#bytes.part(this.#base, Math.min(this.#base + this.#size, this.#end))
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines++
  return lines
}
