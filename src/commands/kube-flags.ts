import { type Command, Option } from 'commander'
import { UsageError } from '../errors.ts'
import { parseDuration } from './duration.ts'
import { listOption, type RawOptions, textOption } from './flag-values.ts'
import { collect, commaList } from './flags.ts'

/** How the live clusters are reached: kubectl's flags, and which spokes are read beside the hub. */
interface KubeFlags {
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  readonly cluster: string | undefined
  readonly user: string | undefined
  readonly server: string | undefined
  readonly token: string | undefined
  readonly as: string | undefined
  readonly asGroups: readonly string[]
  readonly asUid: string | undefined
  readonly certificateAuthority: string | undefined
  readonly clientCertificate: string | undefined
  readonly clientKey: string | undefined
  readonly insecureSkipTlsVerify: boolean
  readonly tlsServerName: string | undefined
  /** Milliseconds for one request; 0 is no limit, undefined the default. */
  readonly requestTimeout: number | undefined
  readonly chunkSize: number | undefined
  readonly concurrency: number | undefined
  /** Requests per second to one API server; undefined is no limit. */
  readonly qps: number | undefined
  /** Requests at once after a pause. */
  readonly burst: number | undefined
  readonly spokes: readonly string[]
  readonly spokeContexts: readonly string[]
  readonly spokesFrom: string | undefined
  /** Spokes without a context are reached through the hub's cluster proxy. */
  readonly viaClusterProxy: boolean
  readonly clusterProxyServer: string | undefined
  readonly clusterProxyCa: string | undefined
  /** Spokes without a context are read with Argo CD's own credentials. */
  readonly useClusterSecrets: boolean
  /** False: no Secret is read. */
  readonly secrets: boolean
}

const GROUP = 'Cluster flags (as in kubectl):'

function positive(flag: string): (value: string) => number {
  return value => {
    const number = Number(value)
    if (!Number.isInteger(number) || number < 1)
      throw new UsageError(`invalid value "${value}" for ${flag}: expected a number from 1`)
    return number
  }
}

function rate(value: string): number {
  const number = Number(value)
  if (!Number.isFinite(number) || number <= 0)
    throw new UsageError(`invalid value "${value}" for --qps: expected a number above 0`)
  return number
}

/** Declares the flags at the top, where commander accepts them before and after the command's name. */
export function addKubeFlags(program: Command): void {
  const text = (flags: string, description: string): Option => new Option(flags, description).helpGroup(GROUP)
  const options = [
    text('--kubeconfig <file>', 'kubeconfig to read instead of KUBECONFIG and ~/.kube/config'),
    text('--context <name>', 'context of the hub'),
    text('--cluster <name>', 'cluster entry of the kubeconfig'),
    text('--user <name>', 'user entry of the kubeconfig'),
    text('-s, --server <url>', 'address of the API server'),
    text('--token <token>', 'bearer token'),
    text('--as <user>', 'user to impersonate, on spokes too'),
    text('--as-group <group>', 'group to impersonate (repeatable)').argParser(collect),
    text('--as-uid <uid>', 'UID to impersonate'),
    text('--certificate-authority <file>', 'CA certificate of the API server'),
    text('--client-certificate <file>', 'client certificate'),
    text('--client-key <file>', 'client key'),
    text('--insecure-skip-tls-verify', 'do not check the certificate of the API server'),
    text('--tls-server-name <name>', 'name that the certificate of the API server must have'),
    text('--request-timeout <duration>', 'limit for one request, such as 30s; 0 is none').argParser(value =>
      parseDuration(value, '--request-timeout'),
    ),
    text('--chunk-size <n>', 'objects per page (default 500)').argParser(positive('--chunk-size')),
    text('--concurrency <n>', 'lists at once (default 5)').argParser(positive('--concurrency')),
    text('--qps <n>', 'requests per second to one API server (default: no limit)').argParser(rate),
    text('--burst <n>', 'requests at once before --qps counts (default: that of --qps)').argParser(positive('--burst')),
    text('--spoke <name>', 'managed cluster to read as well, by the context of its name (repeatable)').argParser(
      commaList,
    ),
    text('--spoke-context <name=context>', 'context of a managed cluster (repeatable)').argParser(collect),
    text('--spokes-from <file>', 'file that maps managed clusters to contexts or kubeconfigs'),
    text(
      '--via-cluster-proxy',
      "reach --spoke clusters without a context through the hub's cluster proxy, with your token",
    ),
    text('--cluster-proxy-server <url>', 'address of the cluster proxy, where its Service cannot be reached'),
    text('--cluster-proxy-ca <file>', 'CA certificate of --cluster-proxy-server'),
    text(
      '--use-cluster-secrets',
      'reach --spoke clusters without a context with the credentials of Argo CD (a warning says so)',
    ),
    text('--no-secrets', 'read no Secret; what depends on them is unknown'),
  ]
  for (const option of options) program.addOption(option)
}

function numberOption(options: RawOptions, name: string): number | undefined {
  const value = options[name]
  return typeof value === 'number' ? value : undefined
}

/** The flags about live clusters, as they were given. */
export function kubeFlags(options: RawOptions): KubeFlags {
  return {
    kubeconfig: textOption(options, 'kubeconfig'),
    context: textOption(options, 'context'),
    cluster: textOption(options, 'cluster'),
    user: textOption(options, 'user'),
    server: textOption(options, 'server'),
    token: textOption(options, 'token'),
    as: textOption(options, 'as'),
    asGroups: listOption(options, 'asGroup'),
    asUid: textOption(options, 'asUid'),
    certificateAuthority: textOption(options, 'certificateAuthority'),
    clientCertificate: textOption(options, 'clientCertificate'),
    clientKey: textOption(options, 'clientKey'),
    insecureSkipTlsVerify: options.insecureSkipTlsVerify === true,
    tlsServerName: textOption(options, 'tlsServerName'),
    requestTimeout: numberOption(options, 'requestTimeout'),
    chunkSize: numberOption(options, 'chunkSize'),
    concurrency: numberOption(options, 'concurrency'),
    qps: numberOption(options, 'qps'),
    burst: numberOption(options, 'burst'),
    spokes: listOption(options, 'spoke'),
    spokeContexts: listOption(options, 'spokeContext'),
    spokesFrom: textOption(options, 'spokesFrom'),
    viaClusterProxy: options.viaClusterProxy === true,
    clusterProxyServer: textOption(options, 'clusterProxyServer'),
    clusterProxyCa: textOption(options, 'clusterProxyCa'),
    useClusterSecrets: options.useClusterSecrets === true,
    secrets: options.secrets !== false,
  }
}
