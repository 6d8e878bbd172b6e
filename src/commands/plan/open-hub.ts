import { homedir } from 'node:os'
import { openCluster } from '../../kube/apply.ts'
import { loadKubeconfig } from '../../kube/kubeconfig.ts'
import { type KubeOverrides, resolveTarget } from '../../kube/target.ts'
import type { ClusterClient } from '../../plan/cluster-client.ts'
import type { Call } from '../call.ts'
import { kubeFlags } from '../kube-flags.ts'

/** kubectl's flags as overrides of the kubeconfig; what was not given is absent. */
function overridesOf(call: Call, context: string): KubeOverrides {
  const kube = kubeFlags(call.options)
  const all: Readonly<Record<keyof KubeOverrides, unknown>> = {
    kubeconfig: kube.kubeconfig,
    context: kube.context ?? (context === '' ? undefined : context),
    cluster: kube.cluster,
    user: kube.user,
    namespace: undefined,
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
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/**
 * Opens the hub of the kubeconfig for writing.
 *
 * @param context context that a run was begun with, unless a flag names another
 * @throws UsageError when the kubeconfig or a flag leads nowhere; KubeError when the hub cannot be reached
 */
export async function openHub(call: Call, context = ''): Promise<ClusterClient> {
  const { env, stderr } = call.context
  const place = { env, home: env.HOME ?? env.USERPROFILE ?? homedir() }
  const overrides = overridesOf(call, context)
  const target = resolveTarget(loadKubeconfig(place, overrides.kubeconfig), overrides, place)
  const { requestTimeout } = kubeFlags(call.options)
  return openCluster(target, {
    cluster: 'hub',
    env,
    signal: call.context.signal,
    terminal: call.flags.input && stderr.isTTY === true,
    ...(requestTimeout === undefined ? {} : { timeouts: { totalMs: requestTimeout } }),
    ...(call.flags.verbose >= 1 ? { onNote: text => stderr.write(`${text}\n`) } : {}),
  })
}
