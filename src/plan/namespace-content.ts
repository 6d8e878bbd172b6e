import { KIND_NAMES, KINDS } from '../fleet/kinds.ts'
import { KubeError } from '../kube/errors.ts'
import { textAt, valueAt } from '../raw.ts'
import type { ClusterClient } from './cluster-client.ts'

/** What the cluster itself puts into every namespace. */
const DEFAULTS: Readonly<Record<string, RegExp>> = {
  ConfigMap: /^(kube-root-ca\.crt|openshift-service-ca\.crt)$/,
  ServiceAccount: /^(default|builder|deployer|pipeline)$/,
  RoleBinding: /^(system:|openshift-pipelines)/,
  Secret: /-(token|dockercfg)-/,
  Event: /./,
}

/**
 * What is in a namespace besides what the cluster puts there, as `Kind/name`: deleting the namespace would delete it. What
 * may not be listed counts as something.
 */
export async function contentOf(client: ClusterClient, namespace: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const kind of KIND_NAMES) {
    const { namespaced } = KINDS[kind]
    if (!namespaced) continue
    try {
      for (const object of await client.list(kind, { namespace })) {
        const name = textAt(object, 'metadata', 'name')
        const isGoing = valueAt(object, 'metadata', 'deletionTimestamp') !== undefined
        if (!isGoing && DEFAULTS[kind]?.test(name) !== true) found.push(`${kind}/${name}`)
      }
    } catch (error) {
      if (!(error instanceof KubeError) || error.failure === 'aborted') throw error
      found.push(`${kind} (not readable)`)
    }
  }
  return found
}
