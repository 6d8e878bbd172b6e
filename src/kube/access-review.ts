import type { KindName } from '../fleet/kinds.ts'
import { valueAt } from '../raw.ts'
import { Connection, type ConnectionOptions } from './connection.ts'
import { discover, type Served } from './discovery.ts'
import { KubeError } from './errors.ts'
import { loadKubeconfig } from './kubeconfig.ts'
import { type LiveSourceOptions, spokeTarget } from './live-source.ts'
import type { Resource } from './resource.ts'
import { type KubeTarget, resolveTarget } from './target.ts'
import { createTransport } from './transport.ts'

const REVIEWS: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
}

/** What a user wants to do, as a SelfSubjectAccessReview asks it. */
export interface Wish {
  readonly verb: string
  readonly group: string
  /** Plural of the kind. */
  readonly resource: string
  /** Empty: in all namespaces, or cluster-scoped. */
  readonly namespace: string
  /** Empty: any object. */
  readonly name: string
}

/** Asks one API server what the current user may do. */
interface AccessReviewer {
  served(kind: KindName): Served['state']
  /** Undefined where the server does not answer the question. */
  allowed(wish: Wish): Promise<boolean | undefined>
  close(): void
}

/**
 * Connects to the hub (`hub`) or to a spoke of these options.
 *
 * @throws KubeError when the cluster cannot be reached or does not let the user in; UsageError for a spoke that is not named
 */
export async function openReviewer(
  cluster: string,
  options: LiveSourceOptions,
  signal?: AbortSignal,
): Promise<AccessReviewer> {
  const { env } = options.place
  // A signal of its own: many questions at once hang on it.
  const stop = signal === undefined ? {} : { signal: AbortSignal.any([signal]) }
  const settings: ConnectionOptions = { ...options.connection, cluster, env, ...stop }
  const connection = new Connection(targetOf(cluster, options), settings)
  try {
    const discovery = await discover(connection)
    const transport = createTransport(connection)
    return {
      served: kind => discovery.served(kind).state,
      async allowed({ verb, group, resource, namespace, name }) {
        const place = namespace === '' ? {} : { namespace }
        const object = name === '' ? {} : { name }
        try {
          const spec = { resourceAttributes: { verb, group, resource, ...place, ...object } }
          const allowed = valueAt(await transport.review(REVIEWS, { spec }), 'status', 'allowed')
          return typeof allowed === 'boolean' ? allowed : undefined
        } catch (error) {
          if (!(error instanceof KubeError) || !['forbidden', 'not-served'].includes(error.failure)) throw error
          return undefined
        }
      },
      close: () => connection.close(),
    }
  } catch (error) {
    connection.close()
    throw error
  }
}

function targetOf(cluster: string, options: LiveSourceOptions): KubeTarget {
  const { kube = {}, place } = options
  if (cluster === 'hub') return resolveTarget(loadKubeconfig(place, kube.kubeconfig), kube, place)
  const ref = (options.spokes ?? []).find(spoke => spoke.name === cluster)
  if (ref === undefined) throw new Error(`no spoke called ${cluster}`)
  return spokeTarget(ref, options)
}
