import { spawn } from 'node:child_process'
import { isObject, text, textAt } from '../raw.ts'
import { readPem } from './agent.ts'
import type { ClusterConfig, ExecConfig } from './kubeconfig-file.ts'

/** What an exec credential plugin gave. */
interface ExecCredential {
  readonly token: string
  /** PEM; both or neither. */
  readonly cert: string
  readonly key: string
  /** Epoch milliseconds; undefined means: until the API server says no. */
  readonly expires: number | undefined
}

interface ExecPlugin {
  readonly config: ExecConfig
  readonly cluster: ClusterConfig
  readonly env: Readonly<Record<string, string | undefined>>
  /** May the plugin talk to the person? False under --no-input and where stdin is no terminal. */
  readonly terminal: boolean
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

const MOST_OUTPUT = 1 << 20
const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

/**
 * Runs an exec credential plugin as client-go does (plugin/pkg/client/auth/exec/exec.go): KUBERNETES_EXEC_INFO tells it
 * whether it may be interactive and, where the kubeconfig asks for it, which cluster it is for.
 *
 * @throws Error whose message says what went wrong, without anything that the plugin printed.
 */
export async function runExecPlugin(plugin: ExecPlugin): Promise<ExecCredential> {
  const { config } = plugin
  const name = `exec plugin "${config.command}"`
  if (!VERSIONS.includes(config.apiVersion))
    throw new Error(`${name} has the unknown apiVersion "${config.apiVersion}"`)
  const interactive = config.interactiveMode !== 'Never' && plugin.terminal
  if (config.interactiveMode === 'Always' && !plugin.terminal) {
    throw new Error(`${name} must talk to you, and there is no terminal (or --no-input was given)`)
  }
  return readCredential(await run(plugin, interactive, name), config.apiVersion, name)
}

/** The ExecCredential that a plugin gets in KUBERNETES_EXEC_INFO. */
function execInfo(config: ExecConfig, cluster: ClusterConfig, interactive: boolean): string {
  const ca = readPem(cluster.certificateAuthorityData, cluster.certificateAuthority, 'certificate authority')
  const info = {
    server: cluster.server,
    ...(cluster.tlsServerName === '' ? {} : { 'tls-server-name': cluster.tlsServerName }),
    ...(cluster.insecureSkipTlsVerify ? { 'insecure-skip-tls-verify': true } : {}),
    ...(ca === '' ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(cluster.proxyUrl === '' ? {} : { 'proxy-url': cluster.proxyUrl }),
    ...(cluster.disableCompression ? { 'disable-compression': true } : {}),
    config: cluster.execExtension ?? null,
  }
  return JSON.stringify({
    kind: 'ExecCredential',
    apiVersion: config.apiVersion,
    spec: { ...(config.provideClusterInfo ? { cluster: info } : {}), interactive },
  })
}

function run(plugin: ExecPlugin, interactive: boolean, name: string): Promise<string> {
  const { config, cluster } = plugin
  return new Promise((resolve, reject) => {
    const child = spawn(config.command, [...config.args], {
      env: { ...plugin.env, ...config.env, KUBERNETES_EXEC_INFO: execInfo(config, cluster, interactive) },
      // A plugin says on stderr what the person must do; without a terminal nobody would read it.
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', plugin.terminal ? 'inherit' : 'ignore'],
    })
    const chunks: Buffer[] = []
    let size = 0
    let failed: Error | undefined
    const stop = (error: Error): void => {
      failed ??= error
      child.kill('SIGKILL')
    }
    const timer = setTimeout(
      () => stop(new Error(`${name} gave no answer within ${plugin.timeoutMs / 1000} s`)),
      plugin.timeoutMs,
    )
    const onAbort = (): void => stop(new Error('stopped'))
    plugin.signal?.addEventListener('abort', onAbort, { once: true })
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MOST_OUTPUT) stop(new Error(`${name} printed more than 1 MiB`))
      else chunks.push(chunk)
    })
    const done = (error: Error | undefined): void => {
      clearTimeout(timer)
      plugin.signal?.removeEventListener('abort', onAbort)
      if (error === undefined) resolve(Buffer.concat(chunks).toString('utf8'))
      else reject(error)
    }
    child.once('error', error => {
      const missing = 'code' in error && error.code === 'ENOENT'
      const hint = config.installHint === '' ? '' : `; ${config.installHint}`
      done(missing ? new Error(`${name} is not installed${hint}`) : new Error(`${name} cannot be started`))
    })
    child.once('close', (code, signal) => {
      if (failed !== undefined) done(failed)
      else if (code === 0) done(undefined)
      else done(new Error(`${name} failed with ${code === null ? `signal ${signal}` : `exit code ${code}`}`))
    })
  })
}

function readCredential(output: string, apiVersion: string, name: string): ExecCredential {
  let answer: unknown
  try {
    answer = JSON.parse(output)
  } catch {
    throw new Error(`${name} did not print an ExecCredential`)
  }
  if (!isObject(answer) || answer.kind !== 'ExecCredential') throw new Error(`${name} did not print an ExecCredential`)
  if (answer.apiVersion !== apiVersion) {
    throw new Error(`${name} is configured for ${apiVersion} and answered in ${text(answer.apiVersion) || 'none'}`)
  }
  const { status } = answer
  const token = textAt(status, 'token')
  const cert = textAt(status, 'clientCertificateData')
  const key = textAt(status, 'clientKeyData')
  if ((cert === '') !== (key === '')) throw new Error(`${name} gave a certificate without its key, or a key alone`)
  if (token === '' && cert === '') throw new Error(`${name} gave neither a token nor a certificate`)
  const expires = Date.parse(textAt(status, 'expirationTimestamp'))
  return { token, cert, key, expires: Number.isNaN(expires) ? undefined : expires }
}
