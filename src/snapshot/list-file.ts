import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { RawObject } from '../kube/wire.ts'
import { writeAll } from './spool.ts'

/** A list goes on in another file from here: readers take files of up to 500 MiB (DEFAULT_LIMITS). */
const FILE_BYTES = 256 * 1024 * 1024
const BUFFER = 256 * 1024
const HEAD = '{"apiVersion":"v1","kind":"List","items":[\n'
const TAIL = '\n]}\n'

/** A file of a list, beside the index. */
export interface ListPart {
  readonly file: string
  readonly count: number
}

/**
 * Writes a list as files of one object a line: JSON, which is YAML too, and quick to read. No file for an empty list.
 *
 * @param name of the first file without its ending, such as `placements.cluster.open-cluster-management.io`
 */
export function writeList(folder: string, name: string, objects: Iterable<RawObject>): readonly ListPart[] {
  const parts: ListPart[] = []
  let open: Writer | undefined
  const end = (): void => {
    if (open === undefined) return
    open.end()
    parts.push({ file: open.name, count: open.count })
    open = undefined
  }
  try {
    for (const object of objects) {
      open ??= new Writer(folder, `${name}${parts.length === 0 ? '' : `.${parts.length + 1}`}.yaml`)
      open.add(JSON.stringify(object))
      if (open.bytes >= FILE_BYTES) end()
    }
    end()
  } finally {
    open?.close()
  }
  return parts
}

class Writer {
  readonly name: string
  readonly #file: number
  #pending: string[] = [HEAD]
  #length = 0
  bytes = 0
  count = 0

  constructor(folder: string, name: string) {
    this.name = name
    this.#file = openSync(join(folder, name), 'wx', 0o600)
  }

  add(line: string): void {
    this.#pending.push(this.count === 0 ? line : `,\n${line}`)
    this.count++
    this.#length += line.length
    if (this.#length >= BUFFER) this.#flush()
  }

  end(): void {
    this.#pending.push(TAIL)
    this.#flush()
    this.close()
  }

  close(): void {
    closeSync(this.#file)
  }

  #flush(): void {
    const bytes = Buffer.from(this.#pending.join(''))
    writeAll(this.#file, bytes)
    this.bytes += bytes.length
    this.#pending = []
    this.#length = 0
  }
}
