import { homedir } from 'node:os'
import { UsageError } from '../errors.ts'
import type { LiveSourceOptions } from '../kube/live-source.ts'
import type { FleetSource } from '../source/source.ts'
import type { Call } from './call.ts'
import { kubeFlags } from './kube-flags.ts'

/** Drops what was not given, since an absent override is not an empty one. */
function given<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, v]) => v !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}

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
export async function liveOptions({ context, flags, options }: Call): Promise<LiveSourceOptions> {
  const kube = kubeFlags(options)
  const { spokeRefs } = await import('../kube/spokes.ts')
  const { spokes, spokeContexts, spokesFrom } = kube
  const milliseconds = kube.requestTimeout
  return {
    place: { env: context.env, home: context.env.HOME ?? context.env.USERPROFILE ?? homedir() },
    kube: given({
      kubeconfig: kube.kubeconfig,
      context: kube.context,
      cluster: kube.cluster,
      user: kube.user,
      server: kube.server,
      token: kube.token,
      as: kube.as,
      asGroups: kube.asGroups.length > 0 ? kube.asGroups : undefined,
      asUid: kube.asUid,
      certificateAuthority: kube.certificateAuthority,
      clientCertificate: kube.clientCertificate,
      clientKey: kube.clientKey,
      insecureSkipTlsVerify: kube.insecureSkipTlsVerify ? true : undefined,
      tlsServerName: kube.tlsServerName,
    }),
    spokes: spokeRefs({ spokes, spokeContexts, ...(spokesFrom === undefined ? {} : { spokesFrom }) }),
    secrets: kube.secrets,
    ...given({ chunkSize: kube.chunkSize, concurrency: kube.concurrency }),
    connection: {
      terminal: flags.input && context.stderr.isTTY === true,
      ...(milliseconds === undefined ? {} : { timeouts: { totalMs: milliseconds } }),
      ...(flags.verbose >= 1 ? { onNote: (text: string) => context.stderr.write(`${text}\n`) } : {}),
    },
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
  ]
  const wrong = named.find(([, is]) => is)
  if (wrong !== undefined) throw new UsageError(`${wrong[0]} is for live clusters and cannot go with --from`)
}
