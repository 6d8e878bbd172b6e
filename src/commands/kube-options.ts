import { homedir } from 'node:os'
import type { ConnectionOptions } from '../kube/connection.ts'
import type { KubeEnvironment } from '../kube/kubeconfig.ts'
import type { KubeOverrides } from '../kube/target.ts'
import type { Call } from './call.ts'
import { kubeFlags } from './kube-flags.ts'

/** Drops what was not given, since an absent override is not an empty one. */
export function given<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, v]) => v !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}

/** How the flags of one call lead to API servers, for reading and for writing alike. */
export interface KubeOptions {
  readonly place: KubeEnvironment
  readonly overrides: KubeOverrides
  readonly connection: Pick<ConnectionOptions, 'terminal' | 'timeouts' | 'onNote'>
}

/** kubectl's flags as overrides of the kubeconfig, where that is looked for, and how connections behave. */
export function kubeOptions({ context, flags, options }: Call): KubeOptions {
  const { env, stderr } = context
  const kube = kubeFlags(options)
  return {
    place: { env, home: env.HOME ?? env.USERPROFILE ?? homedir() },
    overrides: given({
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
    connection: {
      terminal: flags.input && stderr.isTTY === true,
      ...(kube.requestTimeout === undefined ? {} : { timeouts: { totalMs: kube.requestTimeout } }),
      ...(flags.verbose >= 1 ? { onNote: (text: string) => stderr.write(`${text}\n`) } : {}),
    },
  }
}
