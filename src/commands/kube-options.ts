import { homedir } from 'node:os'
import { UsageError } from '../errors.ts'
import type { ConnectionOptions, RequestTrace } from '../kube/connection.ts'
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

/** A finished request: `-v=4` what was asked, `-v=6` what came of it too. Headers and bodies may hold secrets: never. */
function requestLine({ cluster, method, path, status, ms, bytes }: RequestTrace, whole: boolean): string {
  const asked = `${method} ${path} on ${cluster}`
  return whole ? `${asked}: ${status === 0 ? 'no answer' : status} in ${Math.round(ms)} ms, ${bytes} bytes` : asked
}

/** How the flags of one call lead to API servers, for reading and for writing alike. */
interface KubeOptions {
  readonly place: KubeEnvironment
  readonly overrides: KubeOverrides
  readonly connection: Pick<ConnectionOptions, 'terminal' | 'timeouts' | 'rate' | 'onNote' | 'onRequest'>
}

/** kubectl's flags as overrides of the kubeconfig, where that is looked for, and how connections behave. */
export function kubeOptions({ context, flags, options }: Call): KubeOptions {
  const { env, stderr } = context
  const kube = kubeFlags(options)
  const { qps, burst } = kube
  if (burst !== undefined && qps === undefined) throw new UsageError('--burst says nothing without --qps')
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
      ...(qps === undefined ? {} : { rate: { qps, burst: burst ?? Math.max(1, Math.ceil(qps)) } }),
      ...(flags.verbose >= 4
        ? { onRequest: trace => stderr.write(`${requestLine(trace, flags.verbose >= 6)}\n`) }
        : {}),
      ...(flags.verbose >= 1 ? { onNote: (text: string) => stderr.write(`${text}\n`) } : {}),
    },
  }
}
