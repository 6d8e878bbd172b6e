import type { EvidenceSource, Fetched } from '../../agent/status/evidence.ts'
import { Connection } from '../../kube/connection.ts'
import { KubeError } from '../../kube/errors.ts'
import { loadKubeconfig } from '../../kube/kubeconfig.ts'
import { resolveTarget } from '../../kube/target.ts'
import { listAt, textAt } from '../../raw.ts'
import type { Call } from '../call.ts'
import { kubeOptions } from '../kube-options.ts'

const MOST_LINES = 1000
const MOST_BYTES = 1024 * 1024
const METRICS_PORT = 8000

/** Logs and metrics of principals, through the API server of the hub, with the rights of the user. */
export interface PrincipalEvidence extends EvidenceSource {
  close(): void
}

const created = (pod: unknown): string => textAt(pod, 'metadata', 'creationTimestamp')

function listOf(text: string): readonly unknown[] {
  try {
    return listAt(JSON.parse(text), 'items')
  } catch {
    return []
  }
}

/**
 * Opens the hub for logs and metrics, as far as the flags ask for them.
 *
 * @throws UsageError when the kubeconfig or a flag leads nowhere
 */
export function openEvidence(call: Call): PrincipalEvidence {
  const { place, overrides, connection: options } = kubeOptions(call)
  const target = resolveTarget(loadKubeconfig(place, overrides.kubeconfig), overrides, place)
  const connection = new Connection(target, { ...options, env: place.env, signal: call.context.signal })
  const fetched = async (namespace: string, resource: string, name: string, path: string): Promise<Fetched> => {
    const asked = { cluster: 'hub', server: connection.server, verb: 'get', resource, namespace, name, path: '' }
    try {
      const { body } = await connection.send({ method: 'GET', path, accept: '*/*', asked, repeatable: true })
      return { text: body.toString('utf8') }
    } catch (error) {
      if (!(error instanceof KubeError) || error.failure === 'aborted') throw error
      return { reason: error.reason }
    }
  }
  /** Name of the newest Pod of a Deployment, by its name: a ReplicaSet, which would tell for sure, is not read. */
  const podOf = async (namespace: string, deployment: string): Promise<Fetched> => {
    const found = await fetched(namespace, 'pods', '', `${core(namespace)}/pods`)
    if ('reason' in found) return found
    const pods = listOf(found.text)
      .filter(pod => textAt(pod, 'metadata', 'name').startsWith(`${deployment}-`))
      .sort((a, b) => (created(a) < created(b) ? 1 : -1))
    const [newest] = pods
    return newest === undefined
      ? { reason: `Deployment ${namespace}/${deployment} has no Pod` }
      : { text: textAt(newest, 'metadata', 'name') }
  }
  const core = (namespace: string): string => `/api/v1/namespaces/${encodeURIComponent(namespace)}`
  return {
    ...(call.options.principalLogs === true
      ? {
          log: async (namespace: string, deployment: string) => {
            const pod = await podOf(namespace, deployment)
            if ('reason' in pod) return pod
            const query = `tailLines=${MOST_LINES}&limitBytes=${MOST_BYTES}`
            return fetched(
              namespace,
              'pods/log',
              pod.text,
              `${core(namespace)}/pods/${encodeURIComponent(pod.text)}/log?${query}`,
            )
          },
        }
      : {}),
    ...(call.options.metrics === true
      ? {
          metrics: async (namespace: string, deployment: string) => {
            const service = `${deployment}-metrics`
            const at = `${core(namespace)}/services/http:${encodeURIComponent(service)}:${METRICS_PORT}/proxy/metrics`
            return fetched(namespace, 'services/proxy', service, at)
          },
        }
      : {}),
    close: () => connection.close(),
  }
}
