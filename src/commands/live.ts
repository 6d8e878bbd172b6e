import { UsageError } from '../errors.ts'
import type { LiveSourceOptions } from '../kube/live-source.ts'
import { oneLine } from '../output/sanitize.ts'
import type { FleetSource } from '../source/source.ts'
import type { Call } from './call.ts'
import { kubeFlags } from './kube-flags.ts'
import { given, kubeOptions } from './kube-options.ts'
import { readProgress } from './read-progress.ts'

/**
 * The hub of the kubeconfig and the spokes that the flags name.
 *
 * @throws UsageError when the kubeconfig or a flag leads nowhere
 */
export async function openLiveSource(call: Call): Promise<FleetSource> {
  const { openLive } = await import('../kube/live-source.ts')
  return openLive(await liveOptions(call))
}

/**
 * What the flags say about the hub and its spokes.
 *
 * @throws UsageError when a flag leads nowhere
 */
export async function liveOptions(call: Call): Promise<LiveSourceOptions> {
  const { place, overrides, connection } = kubeOptions(call)
  const kube = kubeFlags(call.options)
  const { spokes, spokeContexts, spokesFrom, secrets, chunkSize, concurrency, useClusterSecrets } = kube
  if (useClusterSecrets && !secrets)
    throw new UsageError('--use-cluster-secrets and --no-secrets contradict each other')
  if (useClusterSecrets && (kube.viaClusterProxy || kube.clusterProxyServer !== undefined))
    throw new UsageError('--use-cluster-secrets and --via-cluster-proxy are two ways: give one')
  const { spokeRefs } = await import('../kube/spokes.ts')
  return {
    place,
    kube: overrides,
    spokes: spokeRefs({ spokes, spokeContexts, ...given({ spokesFrom }) }),
    hubWays: {
      proxy: kube.viaClusterProxy,
      ...given({ proxyServer: kube.clusterProxyServer, proxyCa: kube.clusterProxyCa }),
      clusterSecrets: useClusterSecrets,
      onWarning: text => call.context.stderr.write(`${oneLine(text)}\n`),
    },
    secrets,
    ...given({ chunkSize, concurrency }),
    onProgress: readProgress(text => call.progress.onText?.(text)),
    connection,
  }
}

/** Flags of live clusters say nothing about a recording; one that is given by mistake must not be passed over. */
export function refuseLiveFlags({ options }: Call): void {
  const kube = kubeFlags(options)
  const named: readonly (readonly [string, boolean])[] = [
    ['--context', kube.context !== undefined],
    ['--server', kube.server !== undefined],
    ['--as', kube.as !== undefined],
    ['--spoke-context', kube.spokeContexts.length > 0],
    ['--spokes-from', kube.spokesFrom !== undefined],
    ['--via-cluster-proxy', kube.viaClusterProxy || kube.clusterProxyServer !== undefined],
    ['--use-cluster-secrets', kube.useClusterSecrets],
  ]
  const wrong = named.find(([, is]) => is)
  if (wrong !== undefined) throw new UsageError(`${wrong[0]} is for live clusters and cannot go with --from`)
}
