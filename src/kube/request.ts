import http from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BodyBuffers } from './body-buffers.ts'

/** Limits of one request in milliseconds; 0 is no limit. */
export interface Timeouts {
  /** TCP, proxy and TLS handshake together. */
  readonly connectMs: number
  /** From the request to the head of the answer. */
  readonly firstByteMs: number
  /** Between two pieces of the body. */
  readonly idleMs: number
  /** The whole request: --request-timeout. */
  readonly totalMs: number
}

export const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 10_000, firstByteMs: 30_000, idleMs: 30_000, totalMs: 0 }

export interface RawRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  readonly agent: http.Agent
  readonly timeouts: Timeouts
  readonly signal?: AbortSignal | undefined
  /** Where bodies are taken up. */
  readonly buffers?: BodyBuffers
}

export interface RawAnswer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

/** Why no answer came: which limit ran out, or `aborted`. Network errors keep their own class and code. */
export class RequestStopped extends Error {
  readonly phase: 'connect' | 'first byte' | 'idle' | 'total' | 'aborted' | 'too large'
  constructor(phase: RequestStopped['phase'], message: string) {
    super(message)
    this.phase = phase
  }
}

/** No answer of an API server is near this; V8 has no longer strings. */
const MOST_BYTES = 480 * 1024 * 1024

/**
 * Sends one request and reads the whole answer, unpacked. A body that ends before its announced length, or whose gzip
 * stream is cut, is an error and never a short answer.
 */
export function send(request: RawRequest): Promise<RawAnswer> {
  return open(request, answer => readAll(answer, request.buffers ?? new BodyBuffers()))
}

/** An answer that is still arriving, for watches. */
interface StreamingAnswer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly stream: Readable
}

type Take<T> = (answer: StreamingAnswer, guard: Guard) => Promise<T>

/**
 * Sends one request and hands its answer over while it arrives. Resolves with what `take` makes of it; the limits and the
 * signal hold until then, and end the stream with an error.
 */
export function sendStreaming<T>(request: RawRequest, take: (answer: StreamingAnswer) => Promise<T>): Promise<T> {
  return open(request, take)
}

/** The whole body of an answer, for those that turn out not to be a stream. */
export async function bodyOf(answer: StreamingAnswer): Promise<Buffer> {
  return (await readAll(answer, new BodyBuffers())).body
}

/** The limits of a running request; `stop` ends it with a reason. */
class Guard {
  #timer: NodeJS.Timeout | undefined
  readonly #stop: (reason: Error) => void
  constructor(stop: (reason: Error) => void) {
    this.#stop = stop
  }
  /** Starts a phase; the limit of the one before is over. */
  enter(phase: RequestStopped['phase'], ms: number): void {
    clearTimeout(this.#timer)
    if (ms <= 0) return
    this.#timer = setTimeout(() => {
      const what = phase === 'connect' ? 'no connection' : phase === 'idle' ? 'the answer stopped coming' : 'no answer'
      this.#stop(new RequestStopped(phase, `${what} within ${seconds(ms)}`))
    }, ms)
  }
  leave(): void {
    clearTimeout(this.#timer)
  }
  fail(reason: Error): void {
    this.#stop(reason)
  }
}

export function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`
}

function open<T>(request: RawRequest, take: Take<T>): Promise<T> {
  const { url, timeouts, signal } = request
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted === true) return reject(new RequestStopped('aborted', 'stopped'))
    const call = (url.protocol === 'https:' ? https : http).request(url, {
      method: request.method,
      agent: request.agent,
      headers: headersOf(request),
    })
    let total: NodeJS.Timeout | undefined
    let isOver = false
    const finish = (end: () => void): void => {
      if (isOver) return
      isOver = true
      clearTimeout(total)
      guard.leave()
      signal?.removeEventListener('abort', onAbort)
      end()
    }
    const stop = (reason: Error): void => {
      finish(() => reject(reason))
      call.destroy()
    }
    const guard = new Guard(stop)
    const onAbort = (): void => stop(new RequestStopped('aborted', 'stopped'))
    signal?.addEventListener('abort', onAbort, { once: true })
    if (timeouts.totalMs > 0) {
      total = setTimeout(
        () => stop(new RequestStopped('total', `not finished within ${seconds(timeouts.totalMs)}`)),
        timeouts.totalMs,
      )
    }
    guard.enter('connect', timeouts.connectMs)
    call.once('socket', socket => {
      const ready = (): void => {
        if (!isOver) guard.enter('first byte', timeouts.firstByteMs)
      }
      const isTls = url.protocol === 'https:'
      // A socket may come connected: reused, or made by a proxy agent.
      const isPending = isTls ? Reflect.get(socket, 'secureConnecting') !== false : socket.connecting
      if (call.reusedSocket || !isPending) ready()
      else socket.once(isTls ? 'secureConnect' : 'connect', ready)
    })
    call.once('error', error => finish(() => reject(error)))
    call.once('response', response => {
      guard.enter('idle', timeouts.idleMs)
      take({ status: response.statusCode ?? 0, headers: response.headers, stream: unpacked(response) }, guard).then(
        value => finish(() => resolve(value)),
        (error: unknown) => stop(error instanceof Error ? error : new Error(String(error))),
      )
      response.on('data', () => {
        if (!isOver) guard.enter('idle', timeouts.idleMs)
      })
    })
    call.end(request.body)
  })
}

function headersOf(request: RawRequest): http.OutgoingHttpHeaders {
  const headers: http.OutgoingHttpHeaders = { 'Accept-Encoding': 'gzip' }
  for (const [key, value] of Object.entries(request.headers)) {
    headers[key] = typeof value === 'string' ? value : [...value]
  }
  if (request.body !== undefined) headers['Content-Length'] = Buffer.byteLength(request.body)
  return headers
}

/** Each piece is a way to another thread and back. */
const CHUNK = 64 * 1024

function unpacked(response: http.IncomingMessage): Readable {
  if (response.headers['content-encoding'] !== 'gzip') return response
  const gunzip = createGunzip({ chunkSize: CHUNK })
  response.once('error', error => gunzip.destroy(error))
  // A connection that breaks in the middle ends `response` with an error; without one, gunzip sees the cut by itself.
  response.once('aborted', () => gunzip.destroy(new Error('the connection was closed in the middle of the answer')))
  return response.pipe(gunzip)
}

function readAll({ status, headers, stream }: StreamingAnswer, buffers: BodyBuffers): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const body = buffers.open()
    stream.on('data', (chunk: Buffer) => {
      if (body.size + chunk.length <= MOST_BYTES) body.add(chunk)
      else reject(new RequestStopped('too large', 'the answer is larger than 480 MiB'))
    })
    stream.once('error', reject)
    stream.once('end', () => resolve({ status, headers, body: body.end() }))
  })
}
