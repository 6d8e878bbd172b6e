import type { KindName } from '../fleet/kinds.ts'
import type { Coverage, Part, PartScope } from '../source/source.ts'
import { KindReader, type KindReaderOptions } from './kind-reader.ts'

/** Objects of a list that says nothing else. */
const MOST = 500

/** Reads parts of the kinds of one cluster: one request each. */
export class PartReader {
  readonly #kinds: KindReader
  readonly #asked = new Set<KindName>()
  readonly #options: KindReaderOptions

  constructor(options: KindReaderOptions) {
    this.#options = options
    this.#kinds = new KindReader(options)
  }

  get reader(): KindReader {
    return this.#kinds
  }

  /** @throws KubeError `aborted` only; everything else becomes coverage. */
  async read(parts: readonly Part[]): Promise<void> {
    await Promise.all(parts.map(part => this.#read(part)))
  }

  narrow(kind: KindName, { reason, within, names }: PartScope): void {
    const outcome = this.#kinds.outcome(kind)
    outcome.narrow = reason
    outcome.within = within === undefined ? undefined : new Set(within)
    outcome.names = names === undefined ? undefined : new Set(names)
  }

  /** Of the kinds that were asked for. */
  coverage(): ReadonlyMap<KindName, Coverage> {
    return new Map([...this.#asked].map(kind => [kind, this.#kinds.coverage(kind)]))
  }

  async #read({ kind, namespace = '', name, most = MOST, ...selection }: Part): Promise<void> {
    this.#asked.add(kind)
    const resource = this.#kinds.resource(kind)
    if (resource === undefined || (kind === 'Secret' && !this.#options.secrets)) return
    if (name !== undefined) return this.#kinds.get(kind, resource, { namespace, name })
    const mostPages = Math.ceil(most / Math.min(most, this.#options.chunkSize))
    await this.#kinds.list(kind, resource, { ...selection, limit: most, mostPages }, namespace)
  }
}
