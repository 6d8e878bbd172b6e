import { KubeConfig } from '@kubernetes/client-node'

/**
 * Authorization header of a user with an `auth-provider` (oidc, gcp, azure), refreshed where it has run out. Kept in a
 * module of its own, loaded only for such users: the client library costs more to load than everything else here.
 */
export async function authProviderHeader(
  name: string,
  config: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const kube = new KubeConfig()
  const user = { name: 'user', authProvider: { name, config: { ...config } } }
  kube.loadFromClusterAndUser({ name: 'cluster', server: 'https://localhost', skipTLSVerify: false }, user)
  const options: { headers?: Record<string, string> } = { headers: {} }
  await kube.applyToHTTPSOptions(options)
  return options.headers?.Authorization
}
