/** Commands that tell what objects cannot: the logs, metrics and certificates behind them. */

/** Validity of the certificate in a Secret. @param context what selects the cluster, e.g. `--context bm` */
export function askCertificate(namespace: string, secret: string, context = ''): string {
  return `oc ${context === '' ? '' : `${context} `}-n ${namespace} get secret ${secret} -o jsonpath='{.data.tls\\.crt}' | base64 -d | openssl x509 -noout -dates`
}

/** Whether an agent came to the principal, and as which version: only its log says so. */
export function askPrincipalLog(namespace: string, deployment: string, agent: string): string {
  return `oc -n ${namespace} logs deployment/${deployment} | grep -E '${agent}|Version mismatch' | tail`
}

/** Gauge and counters of the principal; needs get on services/proxy. */
export function askPrincipalMetrics(namespace: string, deployment: string): string {
  return `oc get --raw /api/v1/namespaces/${namespace}/services/http:${deployment}-metrics:8000/proxy/metrics | grep agent_connections`
}

/** What runs on a spoke that was not read. */
export function askSpoke(cluster: string, namespace: string, what: string): string {
  return `oc --context ${cluster} -n ${namespace} get ${what}`
}
