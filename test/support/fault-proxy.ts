import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { ADMIN_TOKEN, type ApiServer } from './apiserver.ts'
import { pki } from './pki.ts'

/** What goes wrong between client and API server. */
type Fault =
  /** Answers itself, as the API server would; `message` goes into a Status object. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string; readonly message?: string }
  /** Answers with something that is no Kubernetes API. */
  | { readonly kind: 'page'; readonly status: number; readonly body: string }
  /** Cuts the connection: before the head, or after part of the body. */
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** Ends the answer properly, with half of the JSON. */
  | { readonly kind: 'truncate' }
  /** Never answers, or stops in the middle of the body. */
  | { readonly kind: 'hang'; readonly afterBytes?: number }
  /** Gives the body in small pieces with pauses. */
  | { readonly kind: 'slow'; readonly bytes: number; readonly everyMs: number }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'no-gzip' }
  /** Asks the API server for plain JSON, as if it knew no aggregated discovery and no partial metadata. */
  | { readonly kind: 'plain-json' }

export interface Rule {
  readonly fault: Fault
  /** Which requests; all where absent. `number` counts the matching ones from 1. */
  readonly when?: (request: ProxiedRequest) => boolean
  /** So often in all; absent: always. */
  readonly times?: number
}

export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

export interface FaultProxy {
  readonly url: string
  /** Every request that came, in order. */
  readonly requests: readonly ProxiedRequest[]
  /** TLS connections that were opened. */
  readonly connections: number
  /** Cuts every connection that is open, watches included, as a load balancer does that is restarted. */
  cut(): void
  /** Replaces all rules. */
  setRules(rules: readonly Rule[]): void
  stop(): Promise<void>
}

/** Writes a kubeconfig of an administrator who comes through the proxy. @returns its path */
export function proxiedKubeconfig(folder: string, proxy: FaultProxy): string {
  const path = join(folder, 'proxied.kubeconfig')
  writeFileSync(
    path,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'hub',
      clusters: [{ name: 'hub', cluster: { server: proxy.url, 'certificate-authority': pki('ca.crt') } }],
      users: [{ name: 'admin', user: { token: ADMIN_TOKEN } }],
      contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'admin' } }],
    }),
  )
  return path
}

interface Counted {
  readonly rule: Rule
  left: number
}

/** A proxy in front of an API server that misbehaves by rules; without rules it only passes on. */
export async function startFaultProxy(target: ApiServer, rules: readonly Rule[] = []): Promise<FaultProxy> {
  const agent = new https.Agent({ ca: readFileSync(pki('ca.crt'), 'utf8'), keepAlive: true })
  const requests: ProxiedRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  let active = counted(rules)
  const server = https.createServer(
    { cert: readFileSync(pki('server.crt')), key: readFileSync(pki('server.key')) },
    (request, response) => {
      const seen = { method: request.method ?? 'GET', path: request.url ?? '/', headers: request.headers }
      requests.push(seen)
      const hit = active.find(c => c.left > 0 && (c.rule.when?.(seen) ?? true))
      if (hit !== undefined) hit.left--
      handle(target, agent, request, response, hit?.rule.fault).catch(() => response.destroy())
    },
  )
  server.on('secureConnection', () => connections++)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    requests,
    get connections() {
      return connections
    },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    setRules(next) {
      active = counted(next)
      requests.length = 0
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      agent.destroy()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

function counted(rules: readonly Rule[]): readonly Counted[] {
  return rules.map(rule => ({ rule, left: rule.times ?? Number.POSITIVE_INFINITY }))
}

async function handle(
  target: ApiServer,
  agent: https.Agent,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
): Promise<void> {
  switch (fault?.kind) {
    case 'status': {
      const status = {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        message: fault.message ?? '',
        code: fault.status,
      }
      const retry = fault.retryAfter === undefined ? {} : { 'Retry-After': fault.retryAfter }
      response.writeHead(fault.status, { 'Content-Type': 'application/json', ...retry })
      response.end(JSON.stringify(status))
      return
    }
    case 'page':
      response.writeHead(fault.status, { 'Content-Type': 'text/html' })
      response.end(fault.body)
      return
    case 'delay':
      await pause(fault.ms)
      break
    case 'hang':
      if (fault.afterBytes === undefined) return
      break
    case 'reset':
      if (fault.afterBytes === 0) {
        request.socket.destroy()
        return
      }
      break
    default:
  }
  if (fault === undefined && /[?&]watch=(true|1)(&|$)/.test(request.url ?? '')) {
    await passOn(target, agent, request, response)
    return
  }
  const answer = await forward(target, agent, request, fault?.kind)
  const isGzip = answer.headers['content-encoding'] === 'gzip'
  const plain = isGzip ? gunzipSync(answer.body) : answer.body
  const cut = fault?.kind === 'truncate' ? plain.subarray(0, plain.length / 2) : plain
  const body = isGzip ? gzipSync(cut) : cut
  response.writeHead(answer.status, { ...answer.headers, 'content-length': body.length })
  switch (fault?.kind) {
    case 'reset':
      response.write(body.subarray(0, Math.min(fault.afterBytes, body.length - 1)))
      await pause(20)
      request.socket.destroy()
      return
    case 'hang':
      response.write(body.subarray(0, Math.min(fault.afterBytes ?? 0, body.length - 1)))
      return
    case 'slow':
      for (let at = 0; at < body.length && !response.destroyed; at += fault.bytes) {
        response.write(body.subarray(at, at + fault.bytes))
        await pause(fault.everyMs)
      }
      response.end()
      return
    default:
      response.end(body)
  }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

function forward(
  target: ApiServer,
  agent: https.Agent,
  request: IncomingMessage,
  fault: Fault['kind'] | undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { ...request.headers, host: `127.0.0.1:${target.port}` }
    if (fault === 'no-gzip') headers['accept-encoding'] = 'identity'
    if (fault === 'plain-json') headers.accept = 'application/json'
    const call = https.request(target.url + (request.url ?? ''), { method: request.method, headers, agent }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const { 'transfer-encoding': _, connection: __, ...rest } = answer.headers
        resolve({ status: answer.statusCode ?? 502, headers: rest, body: Buffer.concat(chunks) })
      })
    })
    call.on('error', reject)
    request.pipe(call)
  })
}

/** Hands an answer on while it arrives: that of a watch has no end. */
function passOn(
  target: ApiServer,
  agent: https.Agent,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { ...request.headers, host: `127.0.0.1:${target.port}` }
    const call = https.request(target.url + (request.url ?? ''), { method: request.method, headers, agent }, answer => {
      const { 'transfer-encoding': _, connection: __, ...rest } = answer.headers
      response.writeHead(answer.statusCode ?? 502, rest)
      response.flushHeaders()
      answer.pipe(response)
      answer.on('error', reject)
      answer.on('end', resolve)
    })
    call.on('error', reject)
    response.once('close', () => {
      call.destroy()
      resolve()
    })
    call.end()
  })
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
