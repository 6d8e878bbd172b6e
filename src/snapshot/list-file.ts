import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { writeAll } from './spool.ts'

/** A list goes on in another file from here: readers take files of up to 500 MiB (DEFAULT_LIMITS). */
const FILE_BYTES = 256 * 1024 * 1024
const BUFFER = 256 * 1024
const HEAD = Buffer.from('{"apiVersion":"v1","kind":"List","items":[\n')
const BETWEEN = Buffer.from(',\n')
const TAIL = Buffer.from('\n]}\n')

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
export function writeList(folder: string, name: string, lines: Iterable<Buffer>): readonly ListPart[] {
  const parts: ListPart[] = []
  let open: Writer | undefined
  const end = (): void => {
    if (open === undefined) return
    open.end()
    parts.push({ file: open.name, count: open.count })
    open = undefined
  }
  try {
    for (const line of lines) {
      open ??= new Writer(folder, `${name}${parts.length === 0 ? '' : `.${parts.length + 1}`}.yaml`)
      open.add(line)
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
  readonly #buffer = Buffer.allocUnsafe(BUFFER)
  #filled = 0
  #isOpen = true
  bytes = 0
  count = 0

  constructor(folder: string, name: string) {
    this.name = name
    this.#file = openSync(join(folder, name), 'wx', 0o600)
    this.#put(HEAD)
  }

  add(line: Buffer): void {
    if (this.count++ > 0) this.#put(BETWEEN)
    this.#put(line)
  }

  end(): void {
    this.#put(TAIL)
    this.#flush()
    this.close()
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#file)
    this.#isOpen = false
  }

  #put(bytes: Buffer): void {
    this.bytes += bytes.length
    if (this.#filled + bytes.length > BUFFER) this.#flush()
    if (bytes.length > BUFFER) writeAll(this.#file, bytes)
    else this.#filled += bytes.copy(this.#buffer, this.#filled)
  }

  #flush(): void {
    writeAll(this.#file, this.#buffer.subarray(0, this.#filled))
    this.#filled = 0
  }
}
