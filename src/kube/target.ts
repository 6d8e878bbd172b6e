import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from '../errors.ts'
import { type KubeEnvironment, readIfThere } from './kubeconfig.ts'
import type { ClusterConfig, Kubeconfig, UserConfig } from './kubeconfig-file.ts'

/** What kubectl's flags of the same names override. An absent or empty field overrides nothing. */
export interface KubeOverrides {
  readonly kubeconfig?: string
  readonly context?: string
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
  readonly server?: string
  readonly token?: string
  readonly as?: string
  readonly asGroups?: readonly string[]
  readonly asUid?: string
  readonly certificateAuthority?: string
  readonly clientCertificate?: string
  readonly clientKey?: string
  readonly insecureSkipTlsVerify?: boolean
  readonly tlsServerName?: string
}

/** One API server and one identity: all that is needed to connect. */
export interface KubeTarget {
  /** Name of the context; `in-cluster` inside a pod, empty where only `--server` was given. */
  readonly context: string
  readonly clusterName: string
  readonly userName: string
  readonly namespace: string
  readonly cluster: ClusterConfig
  readonly user: UserConfig
}

/** A cluster entry that says nothing. */
export const NO_CLUSTER: ClusterConfig = {
  server: '',
  certificateAuthority: '',
  certificateAuthorityData: '',
  insecureSkipTlsVerify: false,
  tlsServerName: '',
  proxyUrl: '',
  disableCompression: false,
  execExtension: undefined,
}

/** A user entry that shows nothing. */
export const NO_USER: UserConfig = {
  token: '',
  tokenFile: '',
  clientCertificate: '',
  clientCertificateData: '',
  clientKey: '',
  clientKeyData: '',
  username: '',
  password: '',
  exec: undefined,
  authProvider: undefined,
  as: '',
  asUid: '',
  asGroups: [],
  asUserExtra: {},
}

/**
 * The API server and identity that these flags name. Explicit beats the file, as in kubectl, with one difference: `--token`
 * replaces every other credential of the user (kubectl would still send a client certificate, which then wins).
 *
 * @throws UsageError when a named context, cluster or user does not exist, no server is known, or flags contradict each other.
 */
export function resolveTarget(config: Kubeconfig, overrides: KubeOverrides, place: KubeEnvironment): KubeTarget {
  const contextName = overrides.context || config.currentContext
  const context = config.contexts.get(contextName)
  if (context === undefined && overrides.context) {
    throw new UsageError(`context "${overrides.context}" does not exist in the kubeconfig; ${known(config.contexts)}`)
  }
  const isEmpty = config.contexts.size === 0 && config.clusters.size === 0 && config.users.size === 0
  if (isEmpty && !overrides.cluster && !overrides.user) {
    const pod = inClusterTarget(overrides, place)
    if (pod !== undefined) return pod
  }
  if (context === undefined && contextName !== '' && !overrides.server) {
    throw new UsageError(
      `the current context "${contextName}" does not exist in the kubeconfig; pass --context (${known(config.contexts)})`,
    )
  }
  const clusterName = overrides.cluster || context?.cluster || ''
  const userName = overrides.user || context?.user || ''
  const cluster = overriddenCluster(named(config.clusters, clusterName, overrides.cluster, 'cluster'), overrides)
  const user = overriddenUser(named(config.users, userName, overrides.user, 'user'), overrides)
  if (cluster.server === '') {
    throw new UsageError(
      isEmpty
        ? 'no kubeconfig found and not running in a pod; set KUBECONFIG or pass --kubeconfig, or read a recording with --from'
        : `context "${contextName}" leads to no server; choose one with --context (${known(config.contexts)})`,
    )
  }
  validate(cluster, user, userName)
  return {
    context: context === undefined ? '' : contextName,
    clusterName,
    userName,
    namespace: overrides.namespace || context?.namespace || 'default',
    cluster,
    user,
  }
}

function known(contexts: ReadonlyMap<string, unknown>): string {
  const names = [...contexts.keys()].sort()
  if (names.length === 0) return 'it has no contexts'
  return `contexts: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}`
}

function named<T>(
  entries: ReadonlyMap<string, T>,
  name: string,
  explicit: string | undefined,
  what: string,
): T | undefined {
  const found = entries.get(name)
  if (found === undefined && explicit) throw new UsageError(`${what} "${explicit}" does not exist in the kubeconfig`)
  return found
}

/** Rules of client-go's DirectClientConfig.getCluster. */
function overriddenCluster(from: ClusterConfig | undefined, o: KubeOverrides): ClusterConfig {
  const base = from ?? NO_CLUSTER
  const newTrust = o.insecureSkipTlsVerify === true || (o.certificateAuthority ?? '') !== ''
  const newName = (o.tlsServerName ?? '') !== '' || (o.server ?? '') !== ''
  return {
    ...base,
    server: o.server || base.server,
    ...(newTrust
      ? {
          insecureSkipTlsVerify: o.insecureSkipTlsVerify === true,
          certificateAuthority: o.certificateAuthority ? resolve(o.certificateAuthority) : '',
          certificateAuthorityData: '',
        }
      : {}),
    ...(newName ? { tlsServerName: o.tlsServerName ?? '' } : {}),
  }
}

function overriddenUser(from: UserConfig | undefined, o: KubeOverrides): UserConfig {
  const base = from ?? NO_USER
  const identity = o.token
    ? {
        ...NO_USER,
        as: base.as,
        asUid: base.asUid,
        asGroups: base.asGroups,
        asUserExtra: base.asUserExtra,
        token: o.token,
      }
    : base
  return {
    ...identity,
    ...(o.clientCertificate ? { clientCertificate: resolve(o.clientCertificate), clientCertificateData: '' } : {}),
    ...(o.clientKey ? { clientKey: resolve(o.clientKey), clientKeyData: '' } : {}),
    as: o.as || base.as,
    asUid: o.asUid || base.asUid,
    asGroups: o.asGroups && o.asGroups.length > 0 ? o.asGroups : base.asGroups,
  }
}

/** Rules of client-go tools/clientcmd/validation.go that would else end in a request under a wrong identity. */
function validate(cluster: ClusterConfig, user: UserConfig, userName: string): void {
  const who = userName === '' ? 'the user' : `user "${userName}"`
  if (!/^https?:\/\//.test(cluster.server)) {
    throw new UsageError(`server "${cluster.server}" is not an http or https URL`)
  }
  if (
    cluster.insecureSkipTlsVerify &&
    (cluster.certificateAuthority !== '' || cluster.certificateAuthorityData !== '')
  ) {
    throw new UsageError('a cluster may not have a certificate authority and insecure-skip-tls-verify at once')
  }
  if (user.token !== '' && (user.username !== '' || user.password !== '')) {
    throw new UsageError(`${who} has both a token and basic auth; only one is allowed`)
  }
  const hasCertificate = user.clientCertificate !== '' || user.clientCertificateData !== ''
  if (hasCertificate && user.clientKey === '' && user.clientKeyData === '') {
    throw new UsageError(`${who} has a client certificate but no client key`)
  }
  if (user.as === '' && (user.asUid !== '' || user.asGroups.length > 0 || Object.keys(user.asUserExtra).length > 0)) {
    throw new UsageError('impersonating a group, uid or extra field needs a user: pass --as')
  }
  if (user.exec === undefined) return
  if (user.authProvider !== undefined) throw new UsageError(`${who} has both an exec plugin and an auth-provider`)
  if (user.exec.command === '') throw new UsageError(`${who}: the exec plugin has no command`)
  if (!['Never', 'IfAvailable', 'Always'].includes(user.exec.interactiveMode)) {
    throw new UsageError(`${who}: interactiveMode of the exec plugin must be Never, IfAvailable or Always`)
  }
}

/** Inside a pod: client-go's InClusterConfig with its few overrides. */
function inClusterTarget(o: KubeOverrides, { env, serviceAccountFolder }: KubeEnvironment): KubeTarget | undefined {
  const folder = serviceAccountFolder ?? '/var/run/secrets/kubernetes.io/serviceaccount'
  const host = env.KUBERNETES_SERVICE_HOST ?? ''
  const port = env.KUBERNETES_SERVICE_PORT ?? ''
  const tokenFile = join(folder, 'token')
  if (host === '' || port === '' || !isFile(tokenFile)) return undefined
  const cluster = {
    ...NO_CLUSTER,
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    certificateAuthority: isFile(join(folder, 'ca.crt')) ? join(folder, 'ca.crt') : '',
  }
  const target = {
    context: 'in-cluster',
    clusterName: '',
    userName: '',
    namespace: o.namespace || env.POD_NAMESPACE || readIfThere(join(folder, 'namespace'))?.trim() || 'default',
    cluster: overriddenCluster(cluster, o),
    user: overriddenUser({ ...NO_USER, tokenFile }, o),
  }
  validate(target.cluster, target.user, '')
  return target
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
}
