import { EXIT, FleetctlError, UsageError } from '../errors.ts'
import { CLUSTER_PROXY_SERVICE, SERVICE_CA } from '../fleet/well-known.ts'
import { listAt, textAt, valueAt } from '../raw.ts'
import type { Connection } from './connection.ts'
import { KubeError } from './errors.ts'
import type { UserConfig } from './kubeconfig-file.ts'
import { preferredResource } from './resource.ts'
import { type KubeTarget, NO_CLUSTER } from './target.ts'
import { createTransport } from './transport.ts'

/** How spokes without a context of their own are reached through what the hub has. */
export interface HubWays {
  /** Through the hub's cluster-proxy service, with the user's own token. */
  readonly proxy?: boolean
  /** Address of that service from outside the hub; absent: its address inside. */
  readonly proxyServer?: string
  /** File with the certificate authority of `proxyServer`. */
  readonly proxyCa?: string
  /** With what Argo CD's cluster secrets hold. */
  readonly clusterSecrets?: boolean
  /** What the user must hear, in a line. */
  readonly onWarning?: (text: string) => void
}

/** Port of the Service where it names none (push-pull.md 1.7, order 1). */
const PROXY_PORT = 9092

/**
 * Can the cluster proxy carry who the user is? It passes a bearer token on and nothing else: impersonation would be dropped,
 * and a client certificate ends at the proxy.
 *
 * @throws UsageError where it cannot
 */
export function requireTokenOf({ user, userName }: KubeTarget): void {
  if (isImpersonating(user)) {
    throw new UsageError(
      'impersonation (--as, --as-group, --as-uid) cannot go through the cluster proxy; name a context with --spoke-context',
    )
  }
  const hasToken =
    user.token !== '' || user.tokenFile !== '' || user.exec !== undefined || user.authProvider !== undefined
  if (!hasToken) {
    throw new UsageError(
      `user "${userName}" has no token, which is all that the cluster proxy passes on; name a context with --spoke-context`,
    )
  }
}

/** Does the user act as somebody else? */
export function isImpersonating(user: UserConfig): boolean {
  return user.as !== '' || user.asUid !== '' || user.asGroups.length > 0 || Object.keys(user.asUserExtra).length > 0
}

/** A way to a spoke that leads nowhere; the reason is a result, not a failure of the run. */
class NoWayError extends FleetctlError {}

/**
 * The spoke behind the hub's cluster-proxy service, under the user's own token.
 *
 * @throws NoWayError where the hub has no such service, or the user may not see it
 */
export async function proxiedTarget(name: string, hub: Connection, ways: HubWays): Promise<KubeTarget> {
  const { target } = hub
  const address = ways.proxyServer ?? (await serviceAddress(hub))
  const ca = ways.proxyServer === undefined ? await serviceAuthority(hub, name) : ''
  return {
    context: `${target.context || 'hub'}/${name}`,
    clusterName: name,
    userName: target.userName,
    namespace: 'default',
    cluster: {
      ...NO_CLUSTER,
      server: `${address.replace(/\/+$/, '')}/${encodeURIComponent(name)}`,
      certificateAuthority: ways.proxyCa ?? '',
      certificateAuthorityData: ca === '' ? '' : Buffer.from(ca, 'utf8').toString('base64'),
    },
    user: {
      ...target.user,
      clientCertificate: '',
      clientCertificateData: '',
      clientKey: '',
      clientKeyData: '',
    },
  }
}

async function serviceAddress(hub: Connection): Promise<string> {
  const { namespace, name } = CLUSTER_PROXY_SERVICE
  const service = await look(hub, 'Service', namespace, name)
  if (service === undefined) throw noWay(`the hub has no cluster proxy (Service ${namespace}/${name} does not exist)`)
  const port = valueAt(listAt(service, 'spec', 'ports')[0], 'port')
  return `https://${name}.${namespace}.svc.cluster.local:${typeof port === 'number' ? port : PROXY_PORT}`
}

async function serviceAuthority(hub: Connection, cluster: string): Promise<string> {
  const configMap = await look(hub, 'ConfigMap', cluster, SERVICE_CA.name)
  return textAt(configMap, 'data', SERVICE_CA.key)
}

async function look(hub: Connection, kind: 'Service' | 'ConfigMap', namespace: string, name: string): Promise<unknown> {
  try {
    return await createTransport(hub).get(preferredResource(kind), { namespace, name })
  } catch (error) {
    if (!(error instanceof KubeError) || error.failure === 'aborted') throw error
    if (error.failure === 'not-found') return undefined
    throw noWay(`the way through the hub cannot be told: ${error.reason}`)
  }
}

/** A way that leads nowhere, as a result. */
export function noWay(reason: string): NoWayError {
  return new NoWayError(reason, EXIT.incomplete)
}
