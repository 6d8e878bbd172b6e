import type { KindName } from '../fleet/kinds.ts'
import { CLUSTER_PROXY_SERVICE, CONTROLLER_CONFIG_MAP } from '../fleet/well-known.ts'
import type { Coverage } from '../source/source.ts'
import type { KubeError } from './errors.ts'
import { KindReader, type KindReaderOptions } from './kind-reader.ts'
import type { NamespaceFacts } from './namespace-facts.ts'
import { isReadOn, type KindPlan, planFor, type Selection, signpostsOn } from './read-plan.ts'
import { readSecrets } from './read-secrets.ts'
import type { Resource } from './resource.ts'

interface ClusterReaderOptions extends KindReaderOptions {
  /** The user's own scope: what lies beside Argo CD is read in these namespaces only. */
  readonly namespaces: readonly string[]
  /** Namespace of the kubeconfig's context: tried where the whole cluster is refused. */
  readonly contextNamespace: string
}

/** More namespaces than this are read in one list over the whole cluster, of which the others are dropped. */
const MOST_NAMESPACES = 12

/** Reads the wanted kinds of one cluster; each object is taken once, whatever happens. */
export class ClusterReader {
  readonly #o: ClusterReaderOptions
  readonly #kinds: KindReader
  readonly #fellBack = new Set<KindName>()

  constructor(options: ClusterReaderOptions) {
    this.#o = options
    this.#kinds = new KindReader(options)
    for (const namespace of options.namespaces) this.facts.add('argo', namespace)
  }

  get facts(): NamespaceFacts {
    return this.#kinds.facts
  }

  /** The failure that ended the reading of the whole cluster, if one did. */
  get lost(): KubeError | undefined {
    return this.#kinds.lost
  }

  /** @throws KubeError `aborted` only; everything else becomes coverage. */
  async read(): Promise<ReadonlyMap<KindName, Coverage>> {
    const { wanted, role } = this.#o
    const kinds = [...wanted].filter(kind => isReadOn(kind, role))
    const needsPlaces = kinds.some(kind => planFor(kind, role).roles !== undefined)
    const signposts = new Set(needsPlaces ? signpostsOn(role) : [])
    // Signposts first: the lists of namespaces wait for them.
    const wide = [...new Set([...signposts, ...kinds])].filter(kind => planFor(kind, role).wide !== undefined)
    const running = new Map(wide.map(kind => [kind, this.#readWide(kind, planFor(kind, role))]))
    // All are awaited, but an abort ends the waiting at the first of them.
    for (const done of running.values()) done.catch(() => {})
    const first = [...running].filter(([kind]) => signposts.has(kind) || kind === 'Namespace').map(([, done]) => done)
    await Promise.all(first)
    const namespaces = this.#kinds.outcome('Namespace')
    if (namespaces.reads > 0 && namespaces.failures.length === 0) this.facts.knowExisting(this.#kinds.existing)
    await Promise.all([...signposts].map(kind => this.#readBesideArgo(kind, planFor(kind, role))))
    await Promise.all([...running.values(), ...kinds.map(kind => this.#readPlaces(kind, planFor(kind, role)))])
    return new Map([...wanted].map(kind => [kind, this.#kinds.coverage(kind)]))
  }

  async #readWide(kind: KindName, plan: KindPlan): Promise<void> {
    const { namespaces } = this.#o
    const resource = this.#kinds.resource(kind)
    if (resource === undefined || plan.wide === undefined) return
    if (plan.orBesideArgo === true && namespaces.length > 0) {
      this.#kinds.outcome(kind).within = new Set(namespaces)
      await Promise.all(namespaces.map(ns => this.#kinds.list(kind, resource, plan.wide ?? {}, ns)))
      return
    }
    const failure = await this.#kinds.list(kind, resource, plan.wide, '')
    if (plan.wideIsHelp === true && failure?.failure === 'forbidden') this.#forget(kind, failure)
  }

  /** What is read in single namespaces, once it is known in which. */
  async #readPlaces(kind: KindName, plan: KindPlan): Promise<void> {
    const resource = this.#kinds.resource(kind)
    if (resource === undefined) return
    await this.#readBesideArgo(kind, plan)
    if (plan.roles === undefined) return
    const namespaces = this.facts.namespaces(plan.roles)
    const names = this.facts.namespaces(plan.namesOnly ?? []).filter(ns => !namespaces.includes(ns))
    if (plan.wide === undefined || plan.wideIsHelp === true) {
      this.#kinds.outcome(kind).within = new Set([...namespaces, ...names])
    }
    if (kind === 'Secret') {
      if (this.#o.secrets) await this.#readSecrets(resource, namespaces)
      return
    }
    await this.#listIn(kind, resource, plan.inNamespaces ?? {}, namespaces)
    await this.#listIn(kind, resource, { metadataOnly: true }, names)
    if (this.#o.role !== 'hub') return
    if (kind === 'Service') await this.#kinds.get(kind, resource, CLUSTER_PROXY_SERVICE)
    if (kind === 'ConfigMap') {
      const there = this.facts.namespaces(['controllers']).filter(ns => !namespaces.includes(ns))
      await Promise.all(
        there.map(ns => this.#kinds.get(kind, resource, { namespace: ns, name: CONTROLLER_CONFIG_MAP })),
      )
    }
  }

  async #listIn(
    kind: KindName,
    resource: Resource,
    selection: Selection,
    namespaces: readonly string[],
  ): Promise<void> {
    if (namespaces.length > MOST_NAMESPACES) {
      const failure = await this.#kinds.list(kind, resource, selection, '', new Set(namespaces))
      if (failure?.failure !== 'forbidden') return
      this.#forget(kind, failure)
    }
    await Promise.all(namespaces.map(ns => this.#kinds.list(kind, resource, selection, ns)))
  }

  #forget(kind: KindName, failure: KubeError): void {
    const { failures } = this.#kinds.outcome(kind)
    failures.splice(failures.indexOf(failure), 1)
  }

  /** After the whole cluster was refused: the namespaces of Argo CD and of the kubeconfig's context, once. */
  async #readBesideArgo(kind: KindName, plan: KindPlan): Promise<void> {
    const resource = this.#kinds.resource(kind)
    const { failures, reads } = this.#kinds.outcome(kind)
    const refused = failures.find(f => f.failure === 'forbidden')
    if (plan.orBesideArgo !== true || resource === undefined || refused === undefined || reads > 0) return
    if (this.#fellBack.has(kind)) return
    this.#fellBack.add(kind)
    const places = [...new Set([...this.facts.namespaces(['argo', 'apps']), this.#o.contextNamespace])]
    for (const ns of places) await this.#kinds.list(kind, resource, plan.wide ?? {}, ns)
    // What the whole cluster would have shown stays unknown; the single refusals say no more than the first.
    failures.splice(0, failures.length, refused)
  }

  async #readSecrets(resource: Resource, namespaces: readonly string[]): Promise<void> {
    await readSecrets({
      namespaces,
      agentMode: this.facts.agentMode,
      list: (ns, selection) => this.#kinds.list('Secret', resource, selection, ns),
      get: name => this.#kinds.get('Secret', resource, name),
    })
  }
}
