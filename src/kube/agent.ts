import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent'
import { SocksProxyAgent } from 'socks-proxy-agent'
import { UsageError } from '../errors.ts'
import type { ClusterConfig } from './kubeconfig-file.ts'

/** How a server is told to be the right one. */
export interface ServerTrust {
  /** PEM; undefined means the public authorities that Node ships (and NODE_EXTRA_CA_CERTS). */
  readonly ca: string | undefined
  readonly verify: boolean
  /** Name that the certificate must carry, where it is not the host. */
  readonly serverName: string
}

/** Certificate by which the client shows who it is; empty where it uses a token. PEM. */
export interface ClientIdentity {
  readonly cert: string
  readonly key: string
}

export const NO_IDENTITY: ClientIdentity = { cert: '', key: '' }

/**
 * Trust settings of a kubeconfig's cluster.
 *
 * @throws UsageError when the file of the certificate authority cannot be read.
 */
export function trustOf(cluster: ClusterConfig): ServerTrust {
  return {
    ca: readPem(cluster.certificateAuthorityData, cluster.certificateAuthority, 'certificate authority') || undefined,
    verify: !cluster.insecureSkipTlsVerify,
    serverName: cluster.tlsServerName,
  }
}

/** PEM from inline base64, which wins as in kubectl, or from a file; empty where there is neither. */
export function readPem(data: string, file: string, what: string): string {
  if (data !== '') return Buffer.from(data, 'base64').toString('utf8')
  if (file === '') return ''
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new UsageError(`${what} ${file} cannot be read (${code})`, { cause: error })
  }
}

/** More sockets than lists run at once, so that no request waits for a socket and eats up its connect time. */
const MOST_SOCKETS = 32

/**
 * One keep-alive agent for one API server and one client certificate. client-node opens a connection per request; over a
 * real network that is two round trips for each page.
 *
 * @param connectMs limit for the proxy's answer to CONNECT
 */
export function createAgent(
  server: URL,
  trust: ServerTrust,
  identity: ClientIdentity,
  proxy: URL | undefined,
  connectMs: number,
): http.Agent {
  const pool = { keepAlive: true, maxSockets: MOST_SOCKETS, scheduling: 'lifo' as const }
  const isTls = server.protocol === 'https:'
  const host = server.hostname.replace(/^\[|\]$/g, '')
  const tls = isTls
    ? {
        ...(trust.ca === undefined ? {} : { ca: trust.ca }),
        ...(identity.cert === '' ? {} : { cert: identity.cert, key: identity.key }),
        rejectUnauthorized: trust.verify,
        ...(trust.serverName === ''
          ? isIP(host) === 0
            ? { servername: host }
            : {}
          : { servername: trust.serverName }),
      }
    : {}
  if (proxy === undefined) return isTls ? new https.Agent({ ...pool, ...tls }) : new http.Agent(pool)
  if (proxy.protocol.startsWith('socks')) return new SocksProxyAgent(proxy, { ...pool, ...tls })
  const options = { ...pool, ...tls, proxy, timeout: connectMs }
  return isTls ? new HttpsProxyAgent(options) : new HttpProxyAgent(options)
}
