import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { KINDS, type KindName } from '../fleet/kinds.ts'
import { isObject, type RawObject, text, textAt } from '../raw.ts'
import { cleaned } from './clean.ts'

/** Bytes that are gathered before they are written, and read ahead. */
const BUFFER = 256 * 1024

interface Place {
  readonly offset: number
  readonly length: number
}

/**
 * The objects of one kind of one cluster on their way into a snapshot: written to a file as they come, in any order, and
 * read again in the order of their names. Only names and places are in memory.
 */
export class Spool {
  readonly #path: string
  readonly #kind: KindName
  readonly #file: number
  readonly #places = new Map<string, Place>()
  #pending: Buffer[] = []
  #pendingBytes = 0
  #size = 0
  #ahead = Buffer.alloc(0)
  #aheadAt = 0
  /** Of the objects: of the first, as they all come in one version. */
  apiVersion = ''

  constructor(path: string, kind: KindName) {
    this.#path = path
    this.#kind = kind
    this.#file = openSync(path, 'wx+', 0o600)
  }

  get count(): number {
    return this.#places.size
  }

  /**
   * Takes an object, or another state of one that was taken before; gives it as it is kept. One without a name cannot be kept
   * apart and is left out.
   */
  take(raw: unknown): RawObject | undefined {
    const name = textAt(raw, 'metadata', 'name')
    if (!isObject(raw) || name === '') return undefined
    const object = cleaned(this.#typed(raw))
    const line = Buffer.from(JSON.stringify(object))
    // As an API server stores and lists them.
    const key = `${textAt(raw, 'metadata', 'namespace')}/${name}`
    this.#places.set(key, { offset: this.#size, length: line.length })
    this.#size += line.length
    this.#pending.push(line)
    this.#pendingBytes += line.length
    if (this.#pendingBytes >= BUFFER) this.#flush()
    return object
  }

  /** Objects that say what they are: those in lists of a raw answer do not, and metadata alone calls itself by another kind. */
  #typed(object: RawObject): RawObject {
    const own = object.kind === this.#kind ? text(object.apiVersion) : ''
    const { group, versions } = KINDS[this.#kind]
    const apiVersion = own || this.apiVersion || `${group === '' ? '' : `${group}/`}${versions[0]}`
    if (this.apiVersion === '') this.apiVersion = apiVersion
    if (own !== '') return object
    const { apiVersion: _, kind: __, ...rest } = object
    return { apiVersion, kind: this.#kind, ...rest }
  }

  /** The objects in JSON, by namespace and name. A line is good until the next one is asked for. */
  *lines(): Generator<Buffer> {
    this.#flush()
    const sorted = [...this.#places].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [, place] of sorted) yield this.#read(place)
  }

  /** The same objects, parsed one at a time. */
  *objects(): Generator<RawObject> {
    for (const line of this.lines()) {
      const object: unknown = JSON.parse(line.toString('utf8'))
      if (isObject(object)) yield object
    }
  }

  close(): void {
    closeSync(this.#file)
    rmSync(this.#path, { force: true })
  }

  /** Mostly they came in order, so that one read brings many. */
  #read({ offset, length }: Place): Buffer {
    const at = offset - this.#aheadAt
    if (at >= 0 && at + length <= this.#ahead.length) return this.#ahead.subarray(at, at + length)
    const bytes = Buffer.allocUnsafe(Math.max(length, Math.min(BUFFER, this.#size - offset)))
    let filled = 0
    while (filled < bytes.length) {
      const count = readSync(this.#file, bytes, filled, bytes.length - filled, offset + filled)
      if (count === 0) throw new Error(`${this.#path} ends early`)
      filled += count
    }
    this.#ahead = bytes
    this.#aheadAt = offset
    return bytes.subarray(0, length)
  }

  #flush(): void {
    if (this.#pending.length > 0) writeAll(this.#file, Buffer.concat(this.#pending))
    this.#pending = []
    this.#pendingBytes = 0
  }
}

/** Writes everything: a single write may take less. */
export function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}
