import { SourceError } from '../errors.ts'

/** How much is read before fleetctl gives up: a bomb ends in a message, not in an exhausted machine. */
export interface Limits {
  /** Bytes of one file that is read, unpacked. A bigger one is left out, which is a problem of that file alone. */
  readonly fileBytes: number
  /** Bytes of all files together: of an archive all that it unpacks to, of a folder all that is read. */
  readonly totalBytes: number
  /** Files and folders in a tree, or entries in an archive. */
  readonly files: number
  /** Unpacked bytes per packed byte. YAML dumps of a fleet pack about 8 to 1, generated JSON up to some 110 to 1. */
  readonly ratio: number
  /** Folders inside folders. */
  readonly depth: number
}

const MiB = 1024 * 1024

export const DEFAULT_LIMITS: Limits = {
  // A JavaScript string ends at 2^29 - 24 characters.
  fileBytes: 500 * MiB,
  totalBytes: 16 * 1024 * MiB,
  files: 500_000,
  ratio: 500,
  depth: 64,
}

/** Below this many unpacked bytes the ratio says nothing: a short file of blanks packs well. */
const RATIO_COUNTS_FROM = 16 * MiB

/** `500 MiB`, `1.5 GiB`, `12 bytes`: a size for a message. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const [size, unit] =
    bytes < MiB ? [bytes / 1024, 'KiB'] : bytes < 1024 * MiB ? [bytes / MiB, 'MiB'] : [bytes / (1024 * MiB), 'GiB']
  return `${Number(size.toFixed(1))} ${unit}`
}

/** Counts what a tree or an archive costs, and stops it at the limits. */
export class Meter {
  readonly #name: string
  readonly #limits: Limits
  #files = 0
  #packed = 0
  #bytes = 0

  constructor(name: string, limits: Limits) {
    this.#name = name
    this.#limits = limits
  }

  /** @throws SourceError past the limit. */
  file(): void {
    this.#files++
    if (this.#files > this.#limits.files)
      throw new SourceError(`${this.#name} holds more than ${this.#limits.files} files, the most that fleetctl reads`)
  }

  packed(bytes: number): void {
    this.#packed += bytes
  }

  /** @throws SourceError past the limit of bytes, or of the ratio to the packed bytes so far. */
  unpacked(bytes: number): void {
    this.bytes(bytes)
    this.ratio(this.#bytes, this.#packed)
  }

  /** @throws SourceError past the limit of bytes. */
  bytes(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#limits.totalBytes)
      throw new SourceError(
        `${this.#name} holds more than ${sizeText(this.#limits.totalBytes)}, the most that fleetctl reads; pass a smaller part of it`,
      )
  }

  /** @throws SourceError when that much comes out of that little. */
  ratio(bytes: number, packed: number): void {
    if (bytes > RATIO_COUNTS_FROM && bytes > packed * this.#limits.ratio)
      throw new SourceError(
        `${this.#name} unpacks to more than ${this.#limits.ratio} times its size, like a decompression bomb; unpack it yourself if you trust it, and pass the folder`,
      )
  }
}
