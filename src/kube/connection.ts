import type http from 'node:http'
import type { Readable } from 'node:stream'
import { createAgent, type ServerTrust, trustOf } from './agent.ts'
import { type Authenticator, authenticatorFor, type Credentials } from './auth.ts'
import { BodyBuffers } from './body-buffers.ts'
import { type Asked, KubeError } from './errors.ts'
import { networkError } from './network-errors.ts'
import { proxyFor } from './proxy.ts'
import {
  bodyOf,
  DEFAULT_TIMEOUTS,
  type RawAnswer,
  type RawRequest,
  send,
  sendStreaming,
  type Timeouts,
} from './request.ts'
import { type Clock, DEFAULT_RETRY, type RetryPolicy, systemClock, withRetry } from './retry.ts'
import { clean, errorOf } from './status.ts'
import type { KubeTarget } from './target.ts'
import { type Rate, TokenBucket } from './token-bucket.ts'
import { parseJson } from './wire-json.ts'

/** One finished request, for `-v=6`: no headers, no bodies. */
export interface RequestTrace {
  readonly cluster: string
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** 0 where no answer came. */
  readonly status: number
  readonly ms: number
  readonly bytes: number
}

export interface ConnectionOptions {
  /** How the user knows the cluster: `hub`, or a ManagedCluster's name. */
  readonly cluster?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly timeouts?: Partial<Timeouts>
  readonly retry?: RetryPolicy
  /** Absent: as fast as the server answers; it has its own ways to slow clients down. */
  readonly rate?: Rate | undefined
  readonly clock?: Clock
  readonly random?: () => number
  /** May exec plugins use the terminal? */
  readonly terminal?: boolean
  readonly execTimeoutMs?: number
  readonly userAgent?: string
  /** Ends every request at once. */
  readonly signal?: AbortSignal | undefined
  readonly onRequest?: ((trace: RequestTrace) => void) | undefined
  /** Notes for `-v=1`: retries, restarted lists. */
  readonly onNote?: ((text: string) => void) | undefined
}

/** One call to an API server. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path and query, beginning with a slash. */
  readonly path: string
  readonly accept?: string
  readonly contentType?: string
  readonly body?: string
  readonly asked: Asked
  readonly signal?: AbortSignal | undefined
  /** May it be sent again when nobody knows whether it arrived? Reads, and writes that change nothing twice. */
  readonly repeatable: boolean
}

/** A few plugins open a browser and wait for a person. */
const EXEC_TIMEOUT_MS = 120_000

/** A fleet that is read again and again logs in once: a plugin may ask a person. */
const logins = new WeakMap<KubeTarget, Authenticator>()

function getOrAddWeak<K extends object, V>(map: WeakMap<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** One API server under one identity: connections, credentials, retries. */
export class Connection {
  readonly cluster: string
  readonly target: KubeTarget
  readonly clock: Clock
  readonly onNote: (text: string) => void
  readonly #base: URL
  readonly #options: ConnectionOptions
  readonly #timeouts: Timeouts
  readonly #trust: ServerTrust
  readonly #proxy: URL | undefined
  readonly #auth: Authenticator
  readonly #bucket: TokenBucket | undefined
  readonly #agents = new Map<string, http.Agent>()
  readonly #buffers = new BodyBuffers()

  /** @throws UsageError when a file that the kubeconfig names cannot be read, or a proxy's address is no URL. */
  constructor(target: KubeTarget, options: ConnectionOptions = {}) {
    const env = options.env ?? process.env
    this.cluster = options.cluster ?? 'hub'
    this.target = target
    this.clock = options.clock ?? systemClock
    this.onNote = options.onNote ?? (() => {})
    this.#base = new URL(target.cluster.server)
    this.#options = options
    this.#bucket = options.rate === undefined ? undefined : new TokenBucket(options.rate, this.clock)
    this.#timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
    this.#trust = trustOf(target.cluster)
    this.#proxy = proxyFor(this.#base, target.cluster.proxyUrl, env)
    this.#auth = getOrAddWeak(logins, target, () =>
      authenticatorFor(target, {
        env,
        clock: this.clock,
        terminal: options.terminal ?? false,
        execTimeoutMs: options.execTimeoutMs ?? EXEC_TIMEOUT_MS,
      }),
    )
  }

  /** Address for messages: scheme, host and port. */
  get server(): string {
    return this.#base.origin
  }

  /**
   * Sends a call; repeats it where that is safe and the trouble may pass, and once with fresh credentials after a 401.
   *
   * @throws KubeError for everything but a 2xx answer.
   */
  async send(call: Call): Promise<RawAnswer> {
    return this.#retried(call, () => this.#once(call))
  }

  async #retried<T>(call: Call, attempt: () => Promise<T>): Promise<T> {
    const { retry = DEFAULT_RETRY, random = Math.random, signal } = this.#options
    const { totalMs } = this.#timeouts
    return withRetry(attempt, {
      policy: call.repeatable ? retry : { ...retry, tries: 1 },
      clock: this.clock,
      random,
      signal: anySignal(signal, call.signal),
      deadline: totalMs > 0 ? this.clock.now() + totalMs : undefined,
      onRetry: (error, wait, next) =>
        this.onNote(`${error.reason}; try ${next} of ${retry.tries} in ${Math.round(wait)} ms`),
    })
  }

  /** The parsed answer to a call that gives JSON; one that was cut on the way is asked for again. */
  async json(call: Call): Promise<unknown> {
    return (await this.sendParsed(call)).value
  }

  /** As `json`, with the headers of the answer. */
  async sendParsed(call: Call): Promise<{ readonly value: unknown; readonly headers: RawAnswer['headers'] }> {
    return this.#retried(call, async () => {
      const { body, headers } = await this.#once(call)
      const value = parseJson(body, call.asked)
      this.release(body)
      if (value instanceof KubeError) throw value
      return { value, headers }
    })
  }

  /**
   * Hands a body over while it arrives, for watches. Nothing is repeated but once with fresh credentials after a 401: whoever
   * watches knows where to go on.
   *
   * @param idleMs longest silence, in milliseconds
   * @throws KubeError for everything but a 2xx answer that ends by itself; what `take` throws
   */
  async stream(call: Call, idleMs: number, take: (body: Readable) => Promise<void>): Promise<void> {
    const used = await this.#credentials(call.asked)
    const answer = await this.#streamOnce(call, used, idleMs, take)
    if (answer === undefined) return
    if (answer.status !== 401 || !this.#auth.refused(used)) accept(answer, call)
    const again = await this.#streamOnce(call, await this.#credentials(call.asked), idleMs, take)
    if (again !== undefined) accept(again, call)
  }

  /** The body of an answer of `send` is not looked at any more: its memory serves for the next one. */
  release(body: Buffer): void {
    this.#buffers.release(body)
  }

  /** Closes idle connections. */
  close(): void {
    this.#buffers.clear()
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }

  async #once(call: Call): Promise<RawAnswer> {
    const used = await this.#credentials(call.asked)
    const answer = await this.#exchange(call, used)
    if (answer.status !== 401 || !this.#auth.refused(used)) return accept(answer, call)
    return accept(await this.#exchange(call, await this.#credentials(call.asked)), call)
  }

  async #credentials(asked: Asked): Promise<Credentials> {
    const { signal } = this.#options
    try {
      return await this.#auth.credentials(signal)
    } catch (error) {
      if (signal?.aborted === true) throw new KubeError('aborted', asked, 'stopped', { cause: error })
      const { userName } = this.target
      const why = error instanceof Error ? clean(error.message) : 'no credentials'
      throw new KubeError('credentials', asked, `no credentials for user "${userName}": ${why}`, { cause: error })
    }
  }

  async #exchange(call: Call, used: Credentials): Promise<RawAnswer> {
    await this.#turn(call)
    const started = this.clock.now()
    const { onRequest } = this.#options
    const trace = (status: number, bytes: number): void =>
      onRequest?.({
        cluster: this.cluster,
        method: call.method,
        path: call.path,
        status,
        ms: this.clock.now() - started,
        bytes,
      })
    try {
      const answer = await send(this.#request(call, used, this.#timeouts))
      trace(answer.status, answer.body.length)
      return answer
    } catch (error) {
      trace(0, 0)
      throw networkError(error, call.asked, this.#proxy)
    }
  }

  /** An answer other than 2xx is given back whole. */
  async #streamOnce(
    call: Call,
    used: Credentials,
    idleMs: number,
    take: (body: Readable) => Promise<void>,
  ): Promise<RawAnswer | undefined> {
    await this.#turn(call)
    // The whole of a watch has no limit, whatever one request may take.
    const request = this.#request(call, used, { ...this.#timeouts, idleMs, totalMs: 0 })
    try {
      return await sendStreaming(request, async answer => {
        const { status, headers, stream } = answer
        if (status < 200 || status >= 300) return { status, headers, body: await bodyOf(answer) }
        await take(stream)
        return undefined
      })
    } catch (error) {
      throw error instanceof KubeError ? error : networkError(error, call.asked, this.#proxy)
    }
  }

  async #turn(call: Call): Promise<void> {
    try {
      await this.#bucket?.take(anySignal(this.#options.signal, call.signal))
    } catch (error) {
      throw new KubeError('aborted', call.asked, 'stopped', { cause: error })
    }
  }

  #request(call: Call, used: Credentials, timeouts: Timeouts): RawRequest {
    const { userAgent = 'fleetctl', signal } = this.#options
    return {
      method: call.method,
      url: this.#url(call.path),
      headers: {
        Accept: call.accept ?? 'application/json',
        'User-Agent': userAgent,
        ...(call.contentType === undefined ? {} : { 'Content-Type': call.contentType }),
        ...(this.target.cluster.disableCompression ? { 'Accept-Encoding': 'identity' } : {}),
        ...used.headers,
      },
      ...(call.body === undefined ? {} : { body: call.body }),
      agent: this.#agentFor(used),
      timeouts,
      signal: anySignal(signal, call.signal),
      buffers: this.#buffers,
    }
  }

  #url(path: string): URL {
    // A server's address may have a path of its own (Rancher, cluster-proxy).
    return new URL(this.#base.pathname.replace(/\/+$/, '') + path, this.#base)
  }

  #agentFor({ identity }: Credentials): http.Agent {
    const key = identity.cert
    const known = this.#agents.get(key)
    if (known !== undefined) return known
    const agent = createAgent(this.#base, this.#trust, identity, this.#proxy, this.#timeouts.connectMs)
    this.#agents.set(key, agent)
    return agent
  }
}

function accept(answer: RawAnswer, call: Call): RawAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer
  throw errorOf(answer.status, answer.headers, answer.body, call.asked)
}

function anySignal(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  if (a === undefined) return b
  return b === undefined ? a : AbortSignal.any([a, b])
}
