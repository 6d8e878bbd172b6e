import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureBinaries } from '../apiserver/binaries.mjs'
import { type AuditEvent, readAudit } from './audit.ts'
import { Etcd } from './etcd.ts'
import { pki } from './pki.ts'
import { freePorts, type Service, startService, waitReady } from './processes.ts'

export const ADMIN_TOKEN = 'admin-token'

/** A user that a test gives rights to; it begins with none. */
interface TestUser {
  readonly name: string
  readonly groups?: readonly string[]
}

export interface ApiServer {
  /** As in the kubeconfig's contexts: `hub`, `bm`. */
  readonly name: string
  readonly url: string
  readonly port: number
  /** Kubeconfig with the admin as its only user. */
  readonly kubeconfig: string
  readonly auditLog: string
  /** Where its objects lie in etcd. */
  readonly prefix: string
  readonly etcd: Etcd
  /** A request as the admin. Throws with the server's message for anything but 2xx. */
  request(method: string, path: string, body?: unknown, contentType?: string, accept?: string): Promise<unknown>
  /** What was asked of the server since `mark`, oldest first. */
  audit(mark?: AuditMark): Promise<readonly AuditEvent[]>
  /** A point in the audit log, for `audit`. */
  mark(): Promise<AuditMark>
}

type AuditMark = number

export interface ApiServers {
  readonly servers: ReadonlyMap<string, ApiServer>
  server(name: string): ApiServer
  /** All servers: a context per server for the admin (`hub`) and one per user (`viewer@hub`). */
  readonly kubeconfig: string
  token(user: string): string
  /** The real kubectl; gives its stdout. */
  kubectl(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>
  readonly kubectlBinary: string
  readonly folder: string
  stop(): Promise<void>
}

/** Long enough for the first build of the binaries. */
export const START_TIMEOUT_MS = 1_200_000

interface StartOptions {
  readonly clusters: readonly string[]
  readonly users?: readonly TestUser[]
}

/** Starts one etcd and an API server per cluster. Give START_TIMEOUT_MS to the hook that calls it. */
export async function startApiServers(options: StartOptions): Promise<ApiServers> {
  const binaries = await ensureBinaries()
  const folder = mkdtempSync(join(tmpdir(), 'fleetctl-apiserver-'))
  const services: Service[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(services.map(s => s.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const [etcdPort = 0, peerPort = 0, ...ports] = await freePorts(2 + options.clusters.length)
    const etcdUrl = `http://127.0.0.1:${etcdPort}`
    const etcdService = startService(
      join(binaries, 'etcd'),
      etcdArgs(folder, etcdUrl, peerPort),
      join(folder, 'etcd.log'),
    )
    services.push(etcdService)
    await waitReady(etcdService, 'etcd', async () => (await fetch(`${etcdUrl}/health`)).ok)
    const users = options.users ?? []
    writeShared(folder, users)
    const servers = new Map(
      options.clusters.map((name, i) => [name, describeServer(folder, name, ports[i] ?? 0, new Etcd(etcdUrl))]),
    )
    await Promise.all(
      [...servers].map(async ([name, server]) => {
        mkdirSync(join(folder, name))
        const args = apiServerArgs(folder, name, server.port, etcdUrl)
        const service = startService(join(binaries, 'kube-apiserver'), args, join(folder, name, 'server.log'))
        services.push(service)
        await waitReady(service, `kube-apiserver ${name}`, async () => {
          await server.request('GET', '/readyz')
          return true
        })
      }),
    )
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf([...servers.values()], users)))
    return {
      servers,
      kubeconfig,
      kubectlBinary: join(binaries, 'kubectl'),
      folder,
      stop,
      token: tokenOf,
      server(name) {
        const server = servers.get(name)
        if (server === undefined) throw new Error(`no server ${name}`)
        return server
      },
      async kubectl(args, env = {}) {
        const all = { ...process.env, KUBECONFIG: kubeconfig, HOME: folder, ...env }
        const { stdout } = await promisify(execFile)(join(binaries, 'kubectl'), [...args], {
          env: all,
          maxBuffer: 1 << 30,
        })
        return stdout
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function tokenOf(user: string): string {
  return user === 'admin' ? ADMIN_TOKEN : `token-of-${user}`
}

function etcdArgs(folder: string, url: string, peerPort: number): readonly string[] {
  return [
    ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', `http://127.0.0.1:${peerPort}`, '--unsafe-no-fsync', '--log-level', 'warn'],
    ...['--quota-backend-bytes', String(8 * 1024 ** 3)],
  ]
}

function apiServerArgs(folder: string, name: string, port: number, etcdUrl: string): readonly string[] {
  const at = (file: string): string => join(folder, file)
  return [
    ...['--etcd-servers', etcdUrl, '--etcd-prefix', `/${name}`, '--secure-port', String(port)],
    ...['--bind-address', '127.0.0.1', '--advertise-address', '127.0.0.1', '--cert-dir', join(folder, name)],
    ...['--tls-cert-file', pki('server.crt'), '--tls-private-key-file', pki('server.key')],
    ...['--client-ca-file', pki('ca.crt'), '--token-auth-file', at('tokens.csv'), '--authorization-mode', 'RBAC'],
    ...['--service-account-key-file', at('sa.pub'), '--service-account-signing-key-file', at('sa.key')],
    ...['--service-account-issuer', 'https://kubernetes.default.svc', '--service-cluster-ip-range', '10.0.0.0/24'],
    ...['--endpoint-reconciler-type', 'none', '--disable-admission-plugins', 'ServiceAccount'],
    ...['--audit-policy-file', at('audit-policy.yaml'), '--audit-log-path', join(folder, name, 'audit.log')],
    ...['--profiling=false', '--v', '0'],
  ]
}

function writeShared(folder: string, users: readonly TestUser[]): void {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(join(folder, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }))
  writeFileSync(join(folder, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }))
  const rows = [
    `${ADMIN_TOKEN},admin,admin,"system:masters"`,
    ...users.map(u => `${tokenOf(u.name)},${u.name},${u.name},"${(u.groups ?? []).join(',')}"`),
  ]
  writeFileSync(join(folder, 'tokens.csv'), `${rows.join('\n')}\n`)
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata' }],
  }
  writeFileSync(join(folder, 'audit-policy.yaml'), JSON.stringify(policy))
}

function describeServer(folder: string, name: string, port: number, etcd: Etcd): ApiServer {
  const url = `https://127.0.0.1:${port}`
  const ca = readFileSync(pki('ca.crt'), 'utf8')
  const agent = new https.Agent({ ca, keepAlive: true })
  const request: ApiServer['request'] = (method, path, body, contentType = 'application/json', accept = '*/*') =>
    new Promise((resolve, reject) => {
      const headers = {
        Authorization: `Bearer ${ADMIN_TOKEN}`,
        Accept: accept,
        ...(body === undefined ? {} : { 'Content-Type': contentType }),
      }
      const call = https.request(url + path, { method, agent, headers }, response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString('utf8')
          const status = response.statusCode ?? 0
          if (status >= 200 && status < 300) resolve(answer.startsWith('{') ? JSON.parse(answer) : answer)
          else reject(new Error(`${method} ${path}: ${status} ${answer.slice(0, 500)}`))
        })
        response.on('error', reject)
      })
      call.on('error', reject)
      call.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body))
    })
  const auditLog = join(folder, name, 'audit.log')
  const kubeconfig = join(folder, `${name}.kubeconfig`)
  const server: ApiServer = {
    name,
    url,
    port,
    kubeconfig,
    auditLog,
    prefix: `/${name}`,
    etcd,
    request,
    audit: mark => readAudit(auditLog, request, mark ?? 0),
    mark: async () => (await readAudit(auditLog, request, 0)).length,
  }
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf([server], [])))
  return server
}

function kubeconfigOf(servers: readonly ApiServer[], users: readonly TestUser[]): unknown {
  const names = ['admin', ...users.map(u => u.name)]
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': servers[0]?.name ?? '',
    clusters: servers.map(s => ({ name: s.name, cluster: { server: s.url, 'certificate-authority': pki('ca.crt') } })),
    users: names.map(name => ({ name, user: { token: tokenOf(name) } })),
    contexts: servers.flatMap(s =>
      names.map(user => ({
        name: user === 'admin' ? s.name : `${user}@${s.name}`,
        context: { cluster: s.name, user },
      })),
    ),
  }
}
