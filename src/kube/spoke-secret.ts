import { SECRET_CLUSTER_NAME } from '../fleet/labels.ts'
import { CLUSTER_PROXY_SERVICE } from '../fleet/well-known.ts'
import { isObject, listAt, textAt, valueAt } from '../raw.ts'
import type { Connection } from './connection.ts'
import { KubeError } from './errors.ts'
import type { UserConfig } from './kubeconfig-file.ts'
import { CLUSTER_SECRETS } from './read-plan.ts'
import { preferredResource, resourcePath } from './resource.ts'
import { type HubWays, isImpersonating, noWay } from './spoke-ways.ts'
import { type KubeTarget, NO_CLUSTER, NO_USER } from './target.ts'

/** On the cluster secrets that ACM writes (push-pull.md 1.7). */

/**
 * The spoke as Argo CD reaches it: with the address and the credentials of its cluster secret. The user must have asked for
 * it, and is told.
 *
 * @param namespaces of Argo CD on the hub
 * @throws NoWayError where there is no such secret, or it holds nothing to connect with
 */
export async function secretTarget(
  name: string,
  hub: Connection,
  namespaces: readonly string[],
  ways: HubWays,
): Promise<KubeTarget> {
  const resource = preferredResource('Secret')
  for (const namespace of namespaces) {
    for (const labels of [`${SECRET_CLUSTER_NAME}=${name}`, `!${SECRET_CLUSTER_NAME}`]) {
      const query = new URLSearchParams({ labelSelector: `${CLUSTER_SECRETS},${labels}` })
      const at = `${resourcePath(resource, { namespace, name: '' })}?${query}`
      const secrets = listAt(await rawSecrets(hub, at, namespace), 'items')
      const found = secrets.find(secret => decoded(secret, 'name') === name)
      if (found === undefined) continue
      const secretName = textAt(found, 'metadata', 'name')
      const target = targetOf(name, found, hub.target.user, `Secret ${namespace}/${secretName}`)
      ways.onWarning?.(
        `warning: spoke "${name}" is read with the credentials of Secret ${namespace}/${secretName}, which are those of Argo CD`,
      )
      return target
    }
  }
  throw noWay(`no cluster secret of Argo CD has the name "${name}"`)
}

/** With their values, which no other read of Secrets gives out. */
async function rawSecrets(hub: Connection, at: string, namespace: string): Promise<unknown> {
  const { cluster, server } = hub
  const asked = { cluster, server, verb: 'list', resource: 'secrets', namespace, name: '', path: '' }
  try {
    return await hub.json({ method: 'GET', path: at, asked, repeatable: true })
  } catch (error) {
    if (!(error instanceof KubeError) || error.failure === 'aborted') throw error
    throw noWay(`the cluster secrets cannot be read: ${error.reason}`)
  }
}

/** Fields of `config` as Argo CD writes them (argoproj/argo-cd pkg/apis/application/v1alpha1 ClusterConfig). */
function targetOf(name: string, secret: unknown, asked: UserConfig, where: string): KubeTarget {
  const config = parsed(decoded(secret, 'config'))
  const tls = valueAt(config, 'tlsClientConfig')
  const [token, username, password] = ['bearerToken', 'username', 'password'].map(key => textAt(config, key))
  const [cert, key, ca] = ['certData', 'keyData', 'caData'].map(part => textAt(tls, part))
  if (!token && !username && !cert) throw noWay(`${where} holds no token, password or certificate to connect with`)
  const server = decoded(secret, 'server')
  const isProxied = server.startsWith(`https://${CLUSTER_PROXY_SERVICE.name}.${CLUSTER_PROXY_SERVICE.namespace}.`)
  if (isProxied && isImpersonating(asked)) throw noWay(`${where} leads through the cluster proxy, which drops --as`)
  const insecure = valueAt(tls, 'insecure') === true
  return {
    context: where,
    clusterName: name,
    userName: where,
    namespace: 'default',
    cluster: {
      ...NO_CLUSTER,
      server,
      insecureSkipTlsVerify: insecure,
      certificateAuthorityData: insecure ? '' : (ca ?? ''),
      tlsServerName: textAt(tls, 'serverName'),
    },
    user: {
      ...NO_USER,
      token: token ?? '',
      ...(token ? {} : { username: username ?? '', password: password ?? '' }),
      clientCertificateData: cert ?? '',
      clientKeyData: key ?? '',
      as: asked.as,
      asUid: asked.asUid,
      asGroups: asked.asGroups,
      asUserExtra: asked.asUserExtra,
    },
  }
}

function decoded(secret: unknown, key: string): string {
  return Buffer.from(textAt(secret, 'data', key), 'base64').toString('utf8')
}

function parsed(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
