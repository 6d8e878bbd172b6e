import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { TLSSocket } from 'node:tls'
import { pki } from './pki.ts'

/** Who a request said it came from, and where it went. */
export interface Captured {
  readonly path: string
  readonly authorization: string
  /** `Impersonate-*` headers, lower case, values in order. */
  readonly impersonation: Readonly<Record<string, readonly string[]>>
  /** Common name of the client's certificate. */
  readonly certificate: string
  /** Name that the client asked for in the TLS handshake. */
  readonly serverName: string
}

export interface CaptureServer {
  readonly url: string
  readonly port: number
  readonly captured: Captured[]
  /** Answers instead of the usual 200 as long as it is set; gives true when it answered. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  stop(): Promise<void>
}

/** An HTTPS server that notes how clients show who they are, and answers every request alike. */
export async function startCaptureServer(): Promise<CaptureServer> {
  const captured: Captured[] = []
  const server = https.createServer(
    {
      cert: readFileSync(pki('server.crt')),
      key: readFileSync(pki('server.key')),
      ca: readFileSync(pki('ca.crt')),
      requestCert: true,
      rejectUnauthorized: false,
    },
    (request, response) => {
      captured.push(capture(request))
      if (self.answer?.(request, response) === true) return
      response.setHeader('Content-Type', 'application/json')
      response.end('{"kind":"APIVersions","versions":["v1"]}')
    },
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const self: CaptureServer = {
    url: `https://127.0.0.1:${port}`,
    port,
    captured,
    answer: undefined,
    async stop() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
  return self
}

function capture(request: IncomingMessage): Captured {
  const impersonation: Record<string, string[]> = {}
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = (request.rawHeaders[i] ?? '').toLowerCase()
    if (!name.startsWith('impersonate-')) continue
    impersonation[name] = [...(impersonation[name] ?? []), request.rawHeaders[i + 1] ?? '']
  }
  const socket = request.socket instanceof TLSSocket ? request.socket : undefined
  return {
    path: request.url ?? '',
    authorization: request.headers.authorization ?? '',
    impersonation,
    certificate: String(socket?.getPeerCertificate().subject?.CN ?? ''),
    serverName: String(Reflect.get(socket ?? {}, 'servername') || ''),
  }
}
