import pLimit from 'p-limit'
import { FleetctlError, UsageError } from '../errors.ts'
import { KIND_NAMES, type KindName } from '../fleet/kinds.ts'
import type { ClusterReport, Coverage, FleetSource, ObjectSink, PartReading, SourceReport } from '../source/source.ts'
import { ClusterReader } from './cluster-reader.ts'
import { Connection, type ConnectionOptions } from './connection.ts'
import { type Discovery, discover } from './discovery.ts'
import { KubeError } from './errors.ts'
import { heapWatch } from './heap.ts'
import type { ReadProgress } from './kind-reader.ts'
import { type KubeEnvironment, loadKubeconfig } from './kubeconfig.ts'
import { DEFAULT_LIMIT } from './list.ts'
import type { NamespaceFacts } from './namespace-facts.ts'
import { PartReader } from './part-reader.ts'
import { seconds } from './request.ts'
import { type HubWays, proxiedTarget, requireTokenOf } from './spoke-ways.ts'
import type { SpokeRef } from './spokes.ts'
import { type KubeOverrides, type KubeTarget, resolveTarget } from './target.ts'
import { createTransport } from './transport.ts'

export interface LiveSourceOptions {
  readonly kube?: KubeOverrides
  readonly place: KubeEnvironment
  readonly spokes?: readonly SpokeRef[]
  /** How spokes whose context the kubeconfig does not have are reached. */
  readonly hubWays?: HubWays
  /** The user's scope: what lies beside Argo CD is read in these namespaces only. */
  readonly namespaces?: readonly string[]
  /** Lists at once on one API server. */
  readonly concurrency?: number
  /** Spokes at once. */
  readonly spokeConcurrency?: number
  /** Time for one spoke, in milliseconds; what was not read by then counts as not read. */
  readonly spokeDeadlineMs?: number
  /** Objects per page. */
  readonly chunkSize?: number
  /** False: no Secret is read, and what depends on them is unknown. */
  readonly secrets?: boolean
  readonly connection?: Omit<ConnectionOptions, 'cluster' | 'env' | 'signal'>
  readonly onProgress?: (progress: ReadProgress) => void
  /** The moment that ages on a cluster count from, in epoch milliseconds; usually the server's own clock. */
  readonly timeOf?: (cluster: string, serverTime: number) => number
}

const LISTS_AT_ONCE = 5
const SPOKES_AT_ONCE = 16
const SPOKE_DEADLINE_MS = 60_000

/**
 * The hub of the current kubeconfig context and the named spokes, read from their API servers.
 *
 * @throws UsageError when the kubeconfig or a flag leads nowhere; nothing is asked of any server yet.
 */
export function openLive(options: LiveSourceOptions): FleetSource {
  const overrides = options.kube ?? {}
  const config = loadKubeconfig(options.place, overrides.kubeconfig)
  const hub = resolveTarget(config, overrides, options.place)
  const spokes = (options.spokes ?? []).map(ref => ({ ref, target: directTarget(ref, hub, options) }))
  return new LiveSource(hub, spokes, options)
}

/** The target of a spoke's context; undefined where the way goes through the hub. @throws UsageError where neither does */
function directTarget(ref: SpokeRef, hub: KubeTarget, options: LiveSourceOptions): KubeTarget | undefined {
  const { proxy, proxyServer, clusterSecrets } = options.hubWays ?? {}
  const isThroughHub = proxy === true || proxyServer !== undefined || clusterSecrets === true
  // A context that was named explicitly has to be there.
  const isGuess = ref.context === ref.name && ref.kubeconfig === ''
  const { contexts } = loadKubeconfig(options.place, options.kube?.kubeconfig)
  if (!isThroughHub || !isGuess || contexts.has(ref.context)) return spokeTarget(ref, options)
  if (clusterSecrets !== true) requireTokenOf(hub)
  return undefined
}

/** Impersonation counts for every request, the spokes' included; other identity flags are the hub's own. */
export function spokeTarget(ref: SpokeRef, { kube = {}, place }: LiveSourceOptions): KubeTarget {
  const kubeconfig = ref.kubeconfig || kube.kubeconfig || ''
  try {
    return resolveTarget(
      loadKubeconfig(place, kubeconfig),
      {
        ...(ref.context === '' ? {} : { context: ref.context }),
        ...(kube.as === undefined ? {} : { as: kube.as }),
        ...(kube.asGroups === undefined ? {} : { asGroups: kube.asGroups }),
        ...(kube.asUid === undefined ? {} : { asUid: kube.asUid }),
      },
      place,
    )
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const hint = `name its context with --spoke-context ${ref.name}=CONTEXT, or reach it with --via-cluster-proxy`
    throw new UsageError(`spoke "${ref.name}": ${error.message}; ${hint}`, { cause: error })
  }
}

interface Spoke {
  readonly ref: SpokeRef
  /** Undefined: told by the hub. */
  readonly target: KubeTarget | undefined
}

class LiveSource implements FleetSource {
  readonly type = 'live'
  readonly name: string
  readonly #hub: KubeTarget
  readonly #spokes: readonly Spoke[]
  readonly #options: LiveSourceOptions

  constructor(hub: KubeTarget, spokes: readonly Spoke[], options: LiveSourceOptions) {
    this.#hub = hub
    this.#spokes = spokes
    this.#options = options
    this.name = hub.context || hub.cluster.server
  }

  /**
   * Reads the hub, then the spokes beside each other. What is refused or missing on the way becomes coverage.
   *
   * @throws KubeError when the hub cannot be reached or does not let the user in; an aborted signal's own reason.
   */
  async read(
    wanted: ReadonlySet<KindName>,
    sink: ObjectSink,
    signal?: AbortSignal,
    onSpokes: ReadonlySet<KindName> = wanted,
  ): Promise<SourceReport> {
    try {
      const hub = await this.#readCluster('hub', 'hub', this.#hub, wanted, sink, signal, undefined)
      const spokes = await this.#readSpokes(onSpokes, sink, signal, hub.facts)
      return { clusters: [hub.report, ...spokes], problems: [], spokesNamed: true }
    } catch (error) {
      throw reasonOf(error, signal)
    }
  }

  async parts(signal?: AbortSignal): Promise<PartReading> {
    const o = this.#options
    const connection = this.#connect('hub', this.#hub, signal)
    const guard = <T>(work: Promise<T>): Promise<T> =>
      work.catch(error => {
        throw reasonOf(error, signal)
      })
    try {
      const discovery = await guard(discover(connection))
      let sink: ObjectSink | undefined
      const reader = new PartReader({
        ...this.#readerOptions('hub', connection, discovery, signal),
        wanted: new Set(KIND_NAMES),
        take: (kind, raw, where) => sink?.object('hub', kind, raw, where),
        chunkSize: o.chunkSize ?? Number.POSITIVE_INFINITY,
      })
      const report = (): ClusterReport => this.#report('hub', 'hub', discovery, reader.coverage())
      return {
        read: async (parts, into) => {
          sink = into
          await guard(reader.read(parts))
          if (reader.reader.lost !== undefined) throw reader.reader.lost
        },
        narrow: (kind, scope) => reader.narrow(kind, scope),
        report: () => ({ clusters: [report()], problems: [], spokesNamed: true }),
        finish: async (wanted, into) => {
          connection.close()
          const spokes = await guard(this.#readSpokes(wanted, into, signal, reader.reader.facts))
          return { clusters: [report(), ...spokes], problems: [], spokesNamed: true }
        },
        close: () => connection.close(),
      }
    } catch (error) {
      connection.close()
      throw error
    }
  }

  async #readSpokes(
    wanted: ReadonlySet<KindName>,
    sink: ObjectSink,
    signal: AbortSignal | undefined,
    hub: NamespaceFacts,
  ): Promise<readonly ClusterReport[]> {
    const atOnce = pLimit(this.#options.spokeConcurrency ?? SPOKES_AT_ONCE)
    const hubConnection = this.#connect('hub', this.#hub, signal)
    try {
      return await Promise.all(
        this.#spokes.map(({ ref, target }) => {
          const find = async (): Promise<KubeTarget> => target ?? this.#throughHub(ref.name, hubConnection, hub)
          return atOnce(() => this.#readSpoke(ref.name, find, wanted, sink, signal, hub))
        }),
      )
    } finally {
      hubConnection.close()
    }
  }

  async #throughHub(name: string, connection: Connection, facts: NamespaceFacts): Promise<KubeTarget> {
    const ways = this.#options.hubWays ?? {}
    if (ways.clusterSecrets !== true) return proxiedTarget(name, connection, ways)
    const { secretTarget } = await import('./spoke-secret.ts')
    return secretTarget(name, connection, facts.namespaces(['argo']), ways)
  }

  async #readSpoke(
    name: string,
    find: () => Promise<KubeTarget>,
    wanted: ReadonlySet<KindName>,
    sink: ObjectSink,
    signal: AbortSignal | undefined,
    hub: NamespaceFacts,
  ): Promise<ClusterReport> {
    const ms = this.#options.spokeDeadlineMs ?? SPOKE_DEADLINE_MS
    const deadline = { signal: AbortSignal.timeout(ms), ms }
    const readAt = this.#now()
    try {
      return (await this.#readCluster(name, 'spoke', await find(), wanted, sink, signal, { deadline, hub })).report
    } catch (error) {
      if (signal?.aborted === true || !(error instanceof FleetctlError)) throw error
      const reason = error instanceof KubeError ? error.reason : error.message
      const isLate = error instanceof KubeError && error.failure === 'aborted'
      const state: Coverage = {
        state: 'refused',
        reason: isLate ? `spoke "${name}" did not answer within ${seconds(ms)}` : reason,
      }
      return { name, role: 'spoke', readAt, coverage: new Map(), otherwise: state }
    }
  }

  async #readCluster(
    name: string,
    role: 'hub' | 'spoke',
    target: KubeTarget,
    wanted: ReadonlySet<KindName>,
    sink: ObjectSink,
    signal: AbortSignal | undefined,
    asSpoke:
      | { readonly deadline: { readonly signal: AbortSignal; readonly ms: number }; readonly hub: NamespaceFacts }
      | undefined,
  ): Promise<{ readonly report: ClusterReport; readonly facts: NamespaceFacts }> {
    const stop =
      asSpoke === undefined ? signal : AbortSignal.any([asSpoke.deadline.signal, ...(signal ? [signal] : [])])
    const connection = this.#connect(name, target, stop)
    try {
      const discovery = await discover(connection)
      const count = heapWatch()
      const reader = new ClusterReader({
        ...this.#readerOptions(role, connection, discovery, signal),
        wanted,
        take: (kind, raw, where) => {
          count()
          sink.object(name, kind, raw, where)
        },
        chunkSize: this.#options.chunkSize ?? DEFAULT_LIMIT,
        namespaces: this.#options.namespaces ?? [],
        contextNamespace: target.namespace,
        deadline: asSpoke?.deadline,
      })
      if (asSpoke !== undefined) reader.facts.learnFrom(asSpoke.hub, name)
      const coverage = await reader.read()
      const isLost = reader.lost !== undefined && [...coverage.values()].every(c => c.state !== 'read')
      if (reader.lost !== undefined && isLost) throw reader.lost
      return { report: this.#report(name, role, discovery, coverage), facts: reader.facts }
    } finally {
      connection.close()
    }
  }

  #connect(cluster: string, target: KubeTarget, signal: AbortSignal | undefined): Connection {
    const { connection, place } = this.#options
    return new Connection(target, { ...connection, cluster, env: place.env, signal })
  }

  /** What readers of whole clusters and of parts have in common. */
  #readerOptions(role: 'hub' | 'spoke', connection: Connection, discovery: Discovery, signal: AbortSignal | undefined) {
    const { concurrency, secrets, onProgress } = this.#options
    return {
      role,
      transport: createTransport(connection),
      discovery,
      limit: pLimit(concurrency ?? LISTS_AT_ONCE),
      secrets: secrets ?? true,
      signal,
      onProgress,
    }
  }

  #report(
    name: string,
    role: 'hub' | 'spoke',
    { serverVersion, serverTime }: Discovery,
    coverage: ReadonlyMap<KindName, Coverage>,
  ): ClusterReport {
    const readAt = this.#options.timeOf?.(name, serverTime) ?? serverTime
    const otherwise: Coverage = { state: 'not-recorded', reason: 'not asked for' }
    return { name, role, serverVersion, readAt, coverage, otherwise }
  }

  #now(): number {
    return (this.#options.connection?.clock ?? { now: Date.now }).now()
  }
}

/** Whoever aborted knows the reason best: SIGINT and SIGTERM have exit codes of their own. */
function reasonOf(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted === true && signal.reason instanceof FleetctlError ? signal.reason : error
}
