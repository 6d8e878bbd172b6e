import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { isObject, path, type RawObject, text } from '../kube/wire.ts'
import { cleaned } from './clean.ts'

/** Bytes that are gathered before they are written. */
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
  readonly #file: number
  readonly #places = new Map<string, Place>()
  #pending: Buffer[] = []
  #pendingBytes = 0
  #size = 0
  /** `apiVersion` of the objects that say theirs. */
  apiVersion = ''

  constructor(path: string) {
    this.#path = path
    this.#file = openSync(path, 'wx+', 0o600)
  }

  get count(): number {
    return this.#places.size
  }

  /** Takes an object, or another state of one that was taken before. One without a name cannot be kept apart and is left out. */
  take(raw: unknown): RawObject | undefined {
    const name = text(path(raw, 'metadata', 'name'))
    if (!isObject(raw) || name === '') return undefined
    const object = cleaned(raw)
    const line = Buffer.from(JSON.stringify(object))
    // As an API server stores and lists them.
    this.#places.set(`${text(path(raw, 'metadata', 'namespace'))}/${name}`, {
      offset: this.#size,
      length: line.length,
    })
    this.#size += line.length
    this.#pending.push(line)
    this.#pendingBytes += line.length
    if (this.#pendingBytes >= BUFFER) this.#flush()
    const apiVersion = text(raw.apiVersion)
    // Of lists that bring metadata only, the version is that of the answer.
    if (this.apiVersion === '' && !apiVersion.startsWith('meta.k8s.io/')) this.apiVersion = apiVersion
    return object
  }

  /** The objects by namespace and name, one at a time. */
  *objects(): Generator<RawObject> {
    this.#flush()
    const sorted = [...this.#places].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [, { offset, length }] of sorted) {
      const bytes = Buffer.alloc(length)
      for (let at = 0; at < length; ) {
        const count = readSync(this.#file, bytes, at, length - at, offset + at)
        if (count === 0) throw new Error(`${this.#path} ends early`)
        at += count
      }
      const object: unknown = JSON.parse(bytes.toString('utf8'))
      if (isObject(object)) yield object
    }
  }

  close(): void {
    closeSync(this.#file)
    rmSync(this.#path, { force: true })
  }

  #flush(): void {
    for (const bytes of this.#pending) writeAll(this.#file, bytes)
    this.#pending = []
    this.#pendingBytes = 0
  }
}

/** Writes everything: a single write may take less. */
export function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}
