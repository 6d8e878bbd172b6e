import { openCluster } from '../../kube/apply.ts'
import { loadKubeconfig } from '../../kube/kubeconfig.ts'
import { resolveTarget } from '../../kube/target.ts'
import type { ClusterClient } from '../../plan/cluster-client.ts'
import type { Call } from '../call.ts'
import { kubeOptions } from '../kube-options.ts'

/**
 * Opens the hub of the kubeconfig for writing.
 *
 * @param context context that a run was begun with, unless a flag names another
 * @throws UsageError when the kubeconfig or a flag leads nowhere; KubeError when the hub cannot be reached
 */
export async function openHub(call: Call, context = ''): Promise<ClusterClient> {
  const { place, overrides, connection } = kubeOptions(call)
  const named = context === '' ? overrides : { context, ...overrides }
  const target = resolveTarget(loadKubeconfig(place, named.kubeconfig), named, place)
  return openCluster(target, { ...connection, cluster: 'hub', env: place.env, signal: call.context.signal })
}
