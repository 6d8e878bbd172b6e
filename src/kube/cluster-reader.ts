import type { LimitFunction } from 'p-limit'
import type { KindName } from '../fleet/kinds.ts'
import { getOrAdd } from '../fleet/maps.ts'
import type { Coverage } from '../source/source.ts'
import { definitionOf } from './definition.ts'
import type { Discovery } from './discovery.ts'
import { isServerFailure, KubeError } from './errors.ts'
import { NamespaceFacts } from './namespace-facts.ts'
import { coverageOf, newOutcome, type Outcome } from './outcome.ts'
import {
  CLUSTER_PROXY_SERVICE,
  CONTROLLER_CONFIG_MAP,
  isReadOn,
  type KindPlan,
  planFor,
  type Selection,
  SIGNPOSTS,
} from './read-plan.ts'
import { readSecrets } from './read-secrets.ts'
import { seconds } from './request.ts'
import { type ObjectName, type Resource, resourcePath } from './resource.ts'
import type { KubeTransport } from './transport.ts'
import { path, text } from './wire.ts'

/** Takes an object of one cluster; `where` is the path it was read from. */
export type Take = (kind: KindName, raw: unknown, where: string) => void

export interface ReadProgress {
  readonly cluster: string
  readonly kind: KindName
  /** Objects of the kind so far. */
  readonly objects: number
  /** Objects that are still to come, where the server says so. */
  readonly remaining: number | undefined
  readonly done: boolean
}

export interface ClusterReaderOptions {
  readonly role: 'hub' | 'spoke'
  readonly transport: KubeTransport
  readonly discovery: Discovery
  readonly wanted: ReadonlySet<KindName>
  readonly take: Take
  /** Bounds the lists that run at once: a cluster is one API server. */
  readonly limit: LimitFunction
  /** Objects per page where the plan says nothing else. */
  readonly chunkSize: number
  /** The user's own scope: what lies beside Argo CD is read in these namespaces only. */
  readonly namespaces: readonly string[]
  /** Namespace of the kubeconfig's context: tried where the whole cluster is refused. */
  readonly contextNamespace: string
  /** False under --no-secrets. */
  readonly secrets: boolean
  /** The user's own abort: it ends the reading with an error. */
  readonly signal: AbortSignal | undefined
  /** When it is over, what was read stands and the rest is marked as not read. */
  readonly deadline?: { readonly signal: AbortSignal; readonly ms: number } | undefined
  readonly onProgress: ((progress: ReadProgress) => void) | undefined
}

/** More namespaces than this are read in one list over the whole cluster, of which the others are dropped. */
const MOST_NAMESPACES = 12

/** A server that let so many requests run into their limit will do so with the next one. */
const MOST_TIMEOUTS = 3

/** Reads the wanted kinds of one cluster; each object is taken once, whatever happens. */
export class ClusterReader {
  readonly facts: NamespaceFacts
  readonly #o: ClusterReaderOptions
  readonly #outcomes = new Map<KindName, Outcome>()
  readonly #seen = new Map<KindName, Set<string>>()
  readonly #existing: string[] = []
  readonly #fellBack = new Set<KindName>()
  #timeouts = 0
  /** The failure after which this server need not be asked any more. */
  #lost: KubeError | undefined

  constructor(options: ClusterReaderOptions) {
    this.#o = options
    this.facts = new NamespaceFacts(options.role)
    for (const namespace of options.namespaces) this.facts.add('argo', namespace)
  }

  /** The failure that ended the reading of the whole cluster, if one did. */
  get lost(): KubeError | undefined {
    return this.#lost
  }

  /** @throws KubeError `aborted` only; everything else becomes coverage. */
  async read(): Promise<ReadonlyMap<KindName, Coverage>> {
    const { wanted, role } = this.#o
    const kinds = [...wanted].filter(kind => isReadOn(kind, role))
    const needsPlaces = kinds.some(kind => planFor(kind, role).roles !== undefined)
    const signposts = new Set(needsPlaces ? SIGNPOSTS.filter(kind => isReadOn(kind, role)) : [])
    // Signposts first: the lists of namespaces wait for them.
    const wide = [...new Set([...signposts, ...kinds])].filter(kind => planFor(kind, role).wide !== undefined)
    const running = new Map(wide.map(kind => [kind, this.#readWide(kind, planFor(kind, role))]))
    // All are awaited, but an abort ends the waiting at the first of them.
    for (const done of running.values()) done.catch(() => {})
    const first = [...running].filter(([kind]) => signposts.has(kind) || kind === 'Namespace').map(([, done]) => done)
    await Promise.all(first)
    if (this.#outcomes.get('Namespace')?.failures.length === 0) this.facts.knowExisting(this.#existing)
    await Promise.all([...signposts].map(kind => this.#readBesideArgo(kind, planFor(kind, role))))
    await Promise.all([...running.values(), ...kinds.map(kind => this.#readPlaces(kind, planFor(kind, role)))])
    return new Map([...wanted].map(kind => [kind, this.#coverage(kind)]))
  }

  async #readWide(kind: KindName, plan: KindPlan): Promise<void> {
    const { namespaces } = this.#o
    const resource = this.#resource(kind)
    if (resource === undefined || plan.wide === undefined) return
    if (plan.orBesideArgo === true && namespaces.length > 0) {
      this.#outcome(kind).within = new Set(namespaces)
      await Promise.all(namespaces.map(ns => this.#list(kind, resource, plan.wide ?? {}, ns)))
      return
    }
    const failure = await this.#list(kind, resource, plan.wide, '')
    if (plan.wideIsHelp === true && failure?.failure === 'forbidden') this.#forget(kind, failure)
  }

  /** What is read in single namespaces, once it is known in which. */
  async #readPlaces(kind: KindName, plan: KindPlan): Promise<void> {
    const resource = this.#resource(kind)
    if (resource === undefined) return
    await this.#readBesideArgo(kind, plan)
    if (plan.roles === undefined) return
    const namespaces = this.facts.namespaces(plan.roles)
    const names = this.facts.namespaces(plan.namesOnly ?? []).filter(ns => !namespaces.includes(ns))
    if (plan.wide === undefined || plan.wideIsHelp === true) {
      this.#outcome(kind).within = new Set([...namespaces, ...names])
    }
    if (kind === 'Secret') {
      if (this.#o.secrets) await this.#readSecrets(resource, namespaces)
      return
    }
    await this.#listIn(kind, resource, plan.inNamespaces ?? {}, namespaces)
    await this.#listIn(kind, resource, { metadataOnly: true }, names)
    if (this.#o.role !== 'hub') return
    if (kind === 'Service') await this.#get(kind, resource, CLUSTER_PROXY_SERVICE)
    if (kind === 'ConfigMap') {
      const there = this.facts.namespaces(['controllers']).filter(ns => !namespaces.includes(ns))
      await Promise.all(there.map(ns => this.#get(kind, resource, { namespace: ns, name: CONTROLLER_CONFIG_MAP })))
    }
  }

  async #listIn(
    kind: KindName,
    resource: Resource,
    selection: Selection,
    namespaces: readonly string[],
  ): Promise<void> {
    if (namespaces.length > MOST_NAMESPACES) {
      const failure = await this.#list(kind, resource, selection, '', new Set(namespaces))
      if (failure?.failure !== 'forbidden') return
      this.#forget(kind, failure)
    }
    await Promise.all(namespaces.map(ns => this.#list(kind, resource, selection, ns)))
  }

  #forget(kind: KindName, failure: KubeError): void {
    const { failures } = this.#outcome(kind)
    failures.splice(failures.indexOf(failure), 1)
  }

  /** After the whole cluster was refused: the namespaces of Argo CD and of the kubeconfig's context, once. */
  async #readBesideArgo(kind: KindName, plan: KindPlan): Promise<void> {
    const resource = this.#resource(kind)
    const { failures, reads } = this.#outcome(kind)
    const refused = failures.find(f => f.failure === 'forbidden')
    if (plan.orBesideArgo !== true || resource === undefined || refused === undefined || reads > 0) return
    if (this.#fellBack.has(kind)) return
    this.#fellBack.add(kind)
    const places = [...new Set([...this.facts.namespaces(['argo', 'apps']), this.#o.contextNamespace])]
    for (const ns of places) await this.#list(kind, resource, plan.wide ?? {}, ns)
    // What the whole cluster would have shown stays unknown; the single refusals say no more than the first.
    failures.splice(0, failures.length, refused)
  }

  async #readSecrets(resource: Resource, namespaces: readonly string[]): Promise<void> {
    await readSecrets({
      namespaces,
      agentMode: this.facts.agentMode,
      list: (ns, selection) => this.#list('Secret', resource, selection, ns),
      get: name => this.#get('Secret', resource, name),
    })
  }

  async #get(kind: KindName, resource: Resource, name: ObjectName): Promise<void> {
    const outcome = this.#outcome(kind)
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
  async #list(
    kind: KindName,
    resource: Resource,
    selection: Selection,
    namespace: string,
    only?: ReadonlySet<string>,
  ): Promise<KubeError | undefined> {
    const outcome = this.#outcome(kind)
    const where = resourcePath(resource, { namespace, name: '' })
    const options = {
      ...selection,
      ...this.#call(),
      limit: Math.min(selection.limit ?? this.#o.chunkSize, this.#o.chunkSize),
      ...(namespace === '' ? {} : { namespace }),
    }
    const take = (raw: unknown): undefined => {
      if (only === undefined || only.has(text(path(raw, 'metadata', 'namespace')))) this.#takeOne(kind, raw, where)
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

  #takeOne(kind: KindName, raw: unknown, where: string): void {
    const { wanted, role, discovery, take } = this.#o
    const key = `${text(path(raw, 'metadata', 'namespace'))}/${text(path(raw, 'metadata', 'name'))}`
    const seen = getOrAdd(this.#seen, kind, () => new Set<string>())
    // Kinds are read in overlapping lists, and a list that expired begins anew.
    if (seen.has(key)) return
    seen.add(key)
    if (kind === 'Namespace') this.#existing.push(text(path(raw, 'metadata', 'name')))
    this.facts.observe(kind, raw)
    this.#outcome(kind).objects++
    if (!wanted.has(kind) || !isReadOn(kind, role)) return
    take(kind, kind === 'CustomResourceDefinition' ? definitionOf(raw, discovery) : raw, where)
  }

  #coverage(kind: KindName): Coverage {
    const { discovery, role, secrets } = this.#o
    const served = discovery.served(kind)
    if (served.state === 'not-served') return { state: 'not-served' }
    if (!isReadOn(kind, role)) return { state: 'not-recorded', reason: `not read on a ${role}` }
    if (served.state === 'unknown') return { state: 'refused', reason: served.reason }
    if (kind === 'Secret' && !secrets) return { state: 'not-recorded', reason: 'not read (--no-secrets)' }
    return coverageOf(this.#outcome(kind))
  }

  #resource(kind: KindName): Resource | undefined {
    const served = this.#o.discovery.served(kind)
    return served.state === 'served' ? served.resource : undefined
  }

  #outcome(kind: KindName): Outcome {
    return getOrAdd(this.#outcomes, kind, newOutcome)
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
