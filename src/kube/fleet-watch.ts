import { setMaxListeners } from 'node:events'
import { UsageError } from '../errors.ts'
import type { KindName } from '../fleet/kinds.ts'
import { textAt } from '../raw.ts'
import { Connection } from './connection.ts'
import { discover } from './discovery.ts'
import { KubeError } from './errors.ts'
import { loadKubeconfig } from './kubeconfig.ts'
import { type LiveSourceOptions, spokeTarget } from './live-source.ts'
import { isReadOn } from './read-plan.ts'
import { type KubeTarget, resolveTarget } from './target.ts'
import { follow, type WatchNews } from './watch.ts'

/** Kinds whose changes are worth a new look, on the hub and on each spoke that is named. */
export interface WatchPlan {
  readonly hub: readonly KindName[]
  readonly spoke: readonly KindName[]
}

/** An object that came, changed or went. */
export interface Change {
  /** `hub`, or a ManagedCluster's name. */
  readonly cluster: string
  readonly kind: KindName
  readonly namespace: string
  readonly name: string
}

/** A kind that the server does not let the user watch, so that it can only be read again. */
export interface Unwatched {
  readonly cluster: string
  readonly kind: KindName
  readonly reason: string
}

/** Tells when something changed on the hub or a spoke, without saying how it is now. */
export interface FleetWatch {
  readonly unwatched: readonly Unwatched[]
  /** Why the hub cannot be heard at the moment; undefined while it can. */
  readonly lost: KubeError | undefined
  /** Waits until each watch stands or is refused, so that what changes after a read that begins now is heard. */
  ready(ms: number): Promise<void>
  /** Waits for a change since the last call, at most so long. @returns whether there was one */
  changed(ms: number): Promise<boolean>
  /** From now on only changes count for which this holds. */
  only(concerns: (change: Change) => boolean): void
  close(): void
}

/** A spoke that cannot be reached is asked again after this time: its return is a change. */
const SPOKE_PAUSE_MS = 15_000

/**
 * Watches the kinds of a plan on the hub and on the named spokes, by metadata only. Nothing here fails: what cannot be
 * watched is listed, and what is lost is tried again until `close` or the signal ends it.
 *
 * @throws UsageError when the kubeconfig or a flag leads nowhere
 */
export function watchFleet(options: LiveSourceOptions, plan: WatchPlan, signal: AbortSignal): FleetWatch {
  const overrides = options.kube ?? {}
  const hub = resolveTarget(loadKubeconfig(options.place, overrides.kubeconfig), overrides, options.place)
  const clusters: Watched[] = [{ name: 'hub', target: hub, kinds: plan.hub.filter(kind => isReadOn(kind, 'hub')) }]
  const unwatched: Unwatched[] = []
  const kinds = plan.spoke.filter(kind => isReadOn(kind, 'spoke'))
  for (const ref of options.spokes ?? []) {
    try {
      clusters.push({ name: ref.name, target: spokeTarget(ref, options), kinds })
    } catch (error) {
      // A spoke that is read by another way than a context of its own.
      if (!(error instanceof UsageError)) throw error
      unwatched.push(...kinds.map(kind => ({ cluster: ref.name, kind, reason: `spoke "${ref.name}" is not watched` })))
    }
  }
  return new LiveFleetWatch(clusters, unwatched, options, signal)
}

interface Watched {
  readonly name: string
  readonly target: KubeTarget
  readonly kinds: readonly KindName[]
}

class LiveFleetWatch implements FleetWatch {
  readonly unwatched: Unwatched[]
  lost: KubeError | undefined
  readonly #stop = new AbortController()
  readonly #signal: AbortSignal
  readonly #options: LiveSourceOptions
  /** Watches that neither stand nor are refused yet. */
  #pending = 0
  #isChanged = false
  /** A look may have been taken before every watch stood. */
  #isEarly = false
  #concerns: (change: Change) => boolean = () => true
  #wake = new Set<() => void>()

  constructor(
    clusters: readonly Watched[],
    unwatched: readonly Unwatched[],
    options: LiveSourceOptions,
    signal: AbortSignal,
  ) {
    this.unwatched = [...unwatched]
    this.#options = options
    this.#signal = AbortSignal.any([signal, this.#stop.signal])
    // Every watch listens to it.
    setMaxListeners(0, this.#signal)
    for (const cluster of clusters) {
      this.#pending += cluster.kinds.length
      // What ends it is the abort; anything else would be a fault of ours, and a read that fails then says the same.
      this.#watchCluster(cluster).catch(() => {})
    }
  }

  only(concerns: (change: Change) => boolean): void {
    this.#concerns = concerns
  }

  async ready(ms: number): Promise<void> {
    const until = Date.now() + ms
    while (this.#pending > 0 && Date.now() < until && !this.#signal.aborted) await this.#sleep(until - Date.now())
    this.#isEarly = this.#pending > 0
  }

  async changed(ms: number): Promise<boolean> {
    const until = Date.now() + ms
    while (!this.#isChanged && Date.now() < until && !this.#signal.aborted) await this.#sleep(until - Date.now())
    const was = this.#isChanged
    this.#isChanged = false
    return was
  }

  close(): void {
    this.#stop.abort()
  }

  /** Until news, the abort, or so many milliseconds. */
  #sleep(ms: number): Promise<void> {
    return new Promise(resolve => {
      const done = (): void => {
        clearTimeout(timer)
        this.#wake.delete(done)
        this.#signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1))
      this.#wake.add(done)
      this.#signal.addEventListener('abort', done, { once: true })
    })
  }

  #news(): void {
    for (const wake of [...this.#wake]) wake()
  }

  async #watchCluster({ name, target, kinds }: Watched): Promise<void> {
    const { connection: more, place } = this.#options
    const connection = new Connection(target, { ...more, cluster: name, env: place.env, signal: this.#signal })
    /** Those that were counted as pending and have not been settled. */
    const open = new Set(kinds)
    const settle = (kind: KindName): void => {
      if (open.delete(kind)) {
        this.#pending--
        // What changed since that look was not heard.
        if (this.#isEarly) this.#isChanged = true
      }
      this.#news()
    }
    try {
      for (;;) {
        try {
          const discovery = await discover(connection)
          await Promise.all(
            kinds.map(async kind => {
              const served = discovery.served(kind)
              if (served.state !== 'served') return settle(kind)
              try {
                await follow(connection, served.resource, { signal: this.#signal }, news => {
                  this.#hear(name, kind, news)
                  if (news.what === 'standing') settle(kind)
                })
              } catch (error) {
                if (!(error instanceof KubeError) || error.failure === 'aborted') throw error
                this.unwatched.push({ cluster: name, kind, reason: error.reason })
                settle(kind)
              }
            }),
          )
          return
        } catch (error) {
          if (!(error instanceof KubeError) || error.failure === 'aborted') throw error
          if (name === 'hub') this.lost = error
          for (const kind of kinds) settle(kind)
          await connection.clock.sleep(SPOKE_PAUSE_MS, this.#signal)
        }
      }
    } finally {
      connection.close()
    }
  }

  #hear(cluster: string, kind: KindName, news: WatchNews): void {
    if (cluster === 'hub' && news.what === 'lost') this.lost = news.error
    if (cluster === 'hub' && (news.what === 'standing' || news.what === 'changed')) this.lost = undefined
    if (news.what === 'changed') {
      const [namespace, name] = ['namespace', 'name'].map(key => textAt(news.object, 'metadata', key))
      if (this.#concerns({ cluster, kind, namespace: namespace ?? '', name: name ?? '' })) this.#isChanged = true
    }
    // What was lost may have changed since: only a new look tells.
    if (news.what === 'gap' || news.what === 'lost') this.#isChanged = true
    this.#news()
  }
}
