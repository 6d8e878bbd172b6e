import { type LiveSourceOptions, openLive } from '../../src/kube/live-source.ts'
import type { KubeOverrides } from '../../src/kube/target.ts'
import type { FleetSource } from '../../src/source/source.ts'
import type { ApiServers } from './apiserver.ts'

/** The live source over test servers: `hub` and the named spokes, as the admin unless flags say otherwise. */
export function liveSource(
  servers: ApiServers,
  spokes: readonly string[],
  kube: KubeOverrides = {},
  more: Partial<LiveSourceOptions> = {},
): FleetSource {
  return openLive({
    place: { env: {}, home: servers.folder },
    kube: { kubeconfig: servers.kubeconfig, ...kube },
    spokes: spokes.map(name => ({ name, context: name, kubeconfig: '' })),
    ...more,
  })
}
