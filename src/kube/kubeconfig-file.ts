import { dirname, isAbsolute, join, sep } from 'node:path'
import { parseDocument } from 'yaml'
import { UsageError } from '../errors.ts'
import { isObject, list, type RawObject, text, textAt, textMap, texts, valueAt } from '../raw.ts'

/** A cluster entry of a kubeconfig; paths are absolute, absent fields are empty. */
export interface ClusterConfig {
  readonly server: string
  readonly certificateAuthority: string
  /** Base64, as in the file. */
  readonly certificateAuthorityData: string
  readonly insecureSkipTlsVerify: boolean
  readonly tlsServerName: string
  readonly proxyUrl: string
  readonly disableCompression: boolean
  /** `extensions[client.authentication.k8s.io/exec]`, given to exec plugins that ask for it. */
  readonly execExtension: unknown
}

export interface ExecConfig {
  readonly apiVersion: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly installHint: string
  readonly provideClusterInfo: boolean
  readonly interactiveMode: string
}

/** A user entry of a kubeconfig. */
export interface UserConfig {
  readonly token: string
  readonly tokenFile: string
  readonly clientCertificate: string
  readonly clientCertificateData: string
  readonly clientKey: string
  readonly clientKeyData: string
  readonly username: string
  readonly password: string
  readonly exec: ExecConfig | undefined
  readonly authProvider: { readonly name: string; readonly config: Readonly<Record<string, string>> } | undefined
  readonly as: string
  readonly asUid: string
  readonly asGroups: readonly string[]
  readonly asUserExtra: Readonly<Record<string, readonly string[]>>
}

export interface ContextConfig {
  readonly cluster: string
  readonly user: string
  readonly namespace: string
}

/** One kubeconfig file, or several merged. */
export interface Kubeconfig {
  readonly currentContext: string
  readonly clusters: ReadonlyMap<string, ClusterConfig>
  readonly users: ReadonlyMap<string, UserConfig>
  readonly contexts: ReadonlyMap<string, ContextConfig>
}

/**
 * Reads the text of one kubeconfig file. Relative paths in it count from the file's folder (client-go's ResolveLocalPaths:
 * certificate-authority, client-certificate, client-key, tokenFile, and an exec command with a slash in it).
 *
 * @throws UsageError when it is no kubeconfig: bad YAML, a name twice in one list, a wrong type.
 */
export function parseKubeconfig(content: string, file: string): Kubeconfig {
  const document = parseDocument(content, { prettyErrors: true })
  const broken = document.errors[0]
  if (broken !== undefined) {
    throw new UsageError(`kubeconfig ${file} is not valid YAML: ${broken.message.split('\n')[0] ?? ''}`)
  }
  const raw = plain(() => document.toJS(), file)
  if (raw === null || raw === undefined) {
    return { currentContext: '', clusters: new Map(), users: new Map(), contexts: new Map() }
  }
  if (!isObject(raw)) throw new UsageError(`kubeconfig ${file} holds no kubeconfig`)
  const folder = dirname(file)
  const absolute = (value: unknown): string => {
    const given = text(value)
    return given === '' || isAbsolute(given) ? given : join(folder, given)
  }
  return {
    currentContext: text(raw['current-context']),
    clusters: named(raw, 'clusters', 'cluster', file, entry => clusterOf(entry, absolute)),
    users: named(raw, 'users', 'user', file, entry => userOf(entry, absolute, file)),
    contexts: named(raw, 'contexts', 'context', file, entry => ({
      cluster: text(entry.cluster),
      user: text(entry.user),
      namespace: text(entry.namespace),
    })),
  }
}

/** Aliases that multiply without end are refused by the YAML library with an error of its own. */
function plain(toJs: () => unknown, file: string): unknown {
  try {
    return toJs()
  } catch (error) {
    throw new UsageError(`kubeconfig ${file} is not valid YAML: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    })
  }
}

function named<T>(raw: RawObject, key: string, inner: string, file: string, read: (entry: RawObject) => T) {
  const found = new Map<string, T>()
  for (const item of list(raw[key])) {
    const name = textAt(item, 'name')
    if (name === '') continue
    if (found.has(name)) throw new UsageError(`kubeconfig ${file} has two ${key} called "${name}"`)
    const entry = valueAt(item, inner)
    found.set(name, read(isObject(entry) ? entry : {}))
  }
  return found
}

function clusterOf(entry: RawObject, absolute: (value: unknown) => string): ClusterConfig {
  const extension = list(entry.extensions).find(e => valueAt(e, 'name') === 'client.authentication.k8s.io/exec')
  return {
    server: text(entry.server),
    certificateAuthority: absolute(entry['certificate-authority']),
    certificateAuthorityData: text(entry['certificate-authority-data']),
    insecureSkipTlsVerify: entry['insecure-skip-tls-verify'] === true,
    tlsServerName: text(entry['tls-server-name']),
    proxyUrl: text(entry['proxy-url']),
    disableCompression: entry['disable-compression'] === true,
    execExtension: valueAt(extension, 'extension'),
  }
}

function userOf(entry: RawObject, absolute: (value: unknown) => string, file: string): UserConfig {
  const extra = isObject(entry['as-user-extra']) ? entry['as-user-extra'] : {}
  const provider = entry['auth-provider']
  return {
    token: secretText(entry, 'token', file),
    tokenFile: absolute(entry.tokenFile),
    clientCertificate: absolute(entry['client-certificate']),
    clientCertificateData: text(entry['client-certificate-data']),
    clientKey: absolute(entry['client-key']),
    clientKeyData: text(entry['client-key-data']),
    username: text(entry.username),
    password: secretText(entry, 'password', file),
    exec: isObject(entry.exec) ? execOf(entry.exec, absolute) : undefined,
    authProvider: isObject(provider)
      ? { name: text(provider.name), config: textMap(valueAt(provider, 'config')) }
      : undefined,
    as: text(entry.as),
    asUid: text(entry['as-uid']),
    asGroups: texts(entry['as-groups']),
    asUserExtra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, texts(values)])),
  }
}

/** A token that YAML reads as a number would be another token, so it is an error and never a guess. */
function secretText(entry: RawObject, key: string, file: string): string {
  const value = entry[key]
  if (value !== undefined && value !== null && typeof value !== 'string') {
    throw new UsageError(`kubeconfig ${file}: a user's ${key} is not a string; put it in quotes`)
  }
  return value ?? ''
}

function execOf(exec: RawObject, absolute: (value: unknown) => string): ExecConfig {
  const command = text(exec.command)
  const env = list(exec.env).map((e): [string, string] => [textAt(e, 'name'), textAt(e, 'value')])
  const apiVersion = text(exec.apiVersion)
  const mode = text(exec.interactiveMode)
  return {
    apiVersion,
    command: command.includes(sep) ? absolute(command) : command,
    args: texts(exec.args),
    env: Object.fromEntries(env),
    installHint: text(exec.installHint),
    provideClusterInfo: exec.provideClusterInfo === true,
    // v1beta1 has this default, v1 has none (client-go tools/clientcmd/api/v1 defaults.go).
    interactiveMode: mode === '' && apiVersion.endsWith('/v1beta1') ? 'IfAvailable' : mode,
  }
}
