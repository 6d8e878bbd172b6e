import type { LimitFunction } from 'p-limit'
import type { KindName } from '../fleet/kinds.ts'
import { getOrAdd } from '../fleet/maps.ts'
import { textAt } from '../raw.ts'
import type { Coverage } from '../source/source.ts'
import { definitionOf } from './definition.ts'
import type { Discovery } from './discovery.ts'
import { isServerFailure, KubeError } from './errors.ts'
import { NamespaceFacts } from './namespace-facts.ts'
import { coverageOf, newOutcome, type Outcome } from './outcome.ts'
import { isReadOn, type Selection } from './read-plan.ts'
import { seconds } from './request.ts'
import { type ObjectName, type Resource, resourcePath } from './resource.ts'
import type { KubeTransport } from './transport.ts'

/** Takes an object of one cluster; `where` is the path it was read from. */
type Take = (kind: KindName, raw: unknown, where: string) => void

export interface ReadProgress {
  readonly cluster: string
  readonly kind: KindName
  /** Objects of the kind so far. */
  readonly objects: number
  /** Objects that are still to come, where the server says so. */
  readonly remaining: number | undefined
  readonly done: boolean
}

export interface KindReaderOptions {
  readonly role: 'hub' | 'spoke'
  readonly transport: KubeTransport
  readonly discovery: Discovery
  readonly wanted: ReadonlySet<KindName>
  readonly take: Take
  /** Bounds the lists that run at once: a cluster is one API server. */
  readonly limit: LimitFunction
  /** Objects per page where the plan says nothing else. */
  readonly chunkSize: number
  /** False under --no-secrets. */
  readonly secrets: boolean
  /** The user's own abort: it ends the reading with an error. */
  readonly signal: AbortSignal | undefined
  /** When it is over, what was read stands and the rest is marked as not read. */
  readonly deadline?: { readonly signal: AbortSignal; readonly ms: number } | undefined
  readonly onProgress: ((progress: ReadProgress) => void) | undefined
}

/** A server that let so many requests run into their limit will do so with the next one. */
const MOST_TIMEOUTS = 3

/** Lists and gets of one cluster: each object is taken once, and what fails becomes coverage of its kind. */
export class KindReader {
  readonly facts: NamespaceFacts
  /** Names of the namespaces that were seen. */
  readonly existing: string[] = []
  readonly #o: KindReaderOptions
  readonly #outcomes = new Map<KindName, Outcome>()
  readonly #seen = new Map<KindName, Set<string>>()
  #timeouts = 0
  /** The failure after which this server need not be asked any more. */
  #lost: KubeError | undefined

  constructor(options: KindReaderOptions) {
    this.#o = options
    this.facts = new NamespaceFacts(options.role)
  }

  /** The failure that ended the reading of the whole cluster, if one did. */
  get lost(): KubeError | undefined {
    return this.#lost
  }

  /** The kind as this server serves it; undefined where it does not. */
  resource(kind: KindName): Resource | undefined {
    const served = this.#o.discovery.served(kind)
    return served.state === 'served' ? served.resource : undefined
  }

  /** What reading the kind came to so far. */
  outcome(kind: KindName): Outcome {
    return getOrAdd(this.#outcomes, kind, newOutcome)
  }

  /** Reads one object; one that does not exist is no failure. */
  async get(kind: KindName, resource: Resource, name: ObjectName): Promise<void> {
    const outcome = this.outcome(kind)
    await this.#guarded(outcome, async () => {
      try {
        this.#takeOne(kind, await this.#o.transport.get(resource, name, this.#call()), resourcePath(resource, name))
      } catch (error) {
        if (!(error instanceof KubeError) || error.failure !== 'not-found') throw error
      }
      outcome.reads++
    })
  }

  /** Lists into the sink; gives the failure, which is already noted. */
  async list(
    kind: KindName,
    resource: Resource,
    selection: Selection,
    namespace: string,
    only?: ReadonlySet<string>,
  ): Promise<KubeError | undefined> {
    const outcome = this.outcome(kind)
    const where = resourcePath(resource, { namespace, name: '' })
    const options = {
      ...selection,
      ...this.#call(),
      limit: Math.min(selection.limit ?? this.#o.chunkSize, this.#o.chunkSize),
      ...(namespace === '' ? {} : { namespace }),
    }
    const take = (raw: unknown): undefined => {
      if (only === undefined || only.has(textAt(raw, 'metadata', 'namespace'))) this.#takeOne(kind, raw, where)
    }
    return this.#guarded(outcome, async () => {
      for await (const page of this.#o.transport.pages(resource, options, take)) {
        this.#progress(kind, outcome, page.remaining, false)
        if (page.isCut) outcome.notes.push(`only the first ${outcome.objects} were read`)
      }
      outcome.reads++
      this.#progress(kind, outcome, 0, true)
    })
  }

  /** Runs a request in its turn; a failure is noted and given back, the user's own abort is thrown. */
  async #guarded(outcome: Outcome, run: () => Promise<void>): Promise<KubeError | undefined> {
    return this.#o.limit(async () => {
      if (this.#lost !== undefined) {
        outcome.failures.push(this.#lost)
        return this.#lost
      }
      try {
        await run()
        return undefined
      } catch (error) {
        if (!(error instanceof KubeError)) throw error
        const failure = this.#judge(error)
        if (failure.failure === 'not-served') outcome.isAbsent = true
        else outcome.failures.push(failure)
        return failure
      }
    })
  }

  /** Decides what a failure means for the rest of the cluster. */
  #judge(error: KubeError): KubeError {
    const { signal, deadline } = this.#o
    if (error.failure === 'aborted') {
      if (deadline?.signal.aborted !== true || signal?.aborted === true) throw error
      const late = new KubeError(
        'timeout',
        error.asked,
        `the cluster did not answer everything within ${seconds(deadline.ms)}`,
      )
      this.#lost ??= late
      return late
    }
    if (isServerFailure(error.failure)) this.#lost ??= error
    if (error.failure === 'timeout' && ++this.#timeouts >= MOST_TIMEOUTS) this.#lost ??= error
    return error
  }

  /** What may be concluded of the kind from what was read. */
  coverage(kind: KindName): Coverage {
    const { discovery, role, secrets } = this.#o
    const served = discovery.served(kind)
    if (served.state === 'not-served') return { state: 'not-served' }
    if (!isReadOn(kind, role)) return { state: 'not-recorded', reason: `not read on a ${role}` }
    if (served.state === 'unknown') return { state: 'refused', reason: served.reason }
    if (kind === 'Secret' && !secrets) return { state: 'not-recorded', reason: 'not read (--no-secrets)' }
    return coverageOf(this.outcome(kind))
  }

  #takeOne(kind: KindName, raw: unknown, where: string): void {
    const { wanted, role, discovery, take } = this.#o
    const key = `${textAt(raw, 'metadata', 'namespace')}/${textAt(raw, 'metadata', 'name')}`
    const seen = getOrAdd(this.#seen, kind, () => new Set<string>())
    // Kinds are read in overlapping lists, and a list that expired begins anew.
    if (seen.has(key)) return
    seen.add(key)
    if (kind === 'Namespace') this.existing.push(textAt(raw, 'metadata', 'name'))
    this.facts.observe(kind, raw)
    this.outcome(kind).objects++
    if (!wanted.has(kind) || !isReadOn(kind, role)) return
    take(kind, kind === 'CustomResourceDefinition' ? definitionOf(raw, discovery) : raw, where)
  }

  #call(): { readonly signal?: AbortSignal } {
    const { signal, deadline } = this.#o
    const all = [signal, deadline?.signal].filter(s => s !== undefined)
    return all.length === 0 ? {} : { signal: AbortSignal.any(all) }
  }

  #progress(kind: KindName, { objects }: Outcome, remaining: number | undefined, done: boolean): void {
    this.#o.onProgress?.({ cluster: this.#o.transport.cluster, kind, objects, remaining, done })
  }
}
