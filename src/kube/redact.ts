import { keptOfConfig } from '../fleet/cluster-config.ts'
import { OBJECT_COPIES, SECRET_TYPE } from '../fleet/labels.ts'
import { isObject, text } from '../raw.ts'

/** The two values of an Argo CD cluster secret that joins need; both are addresses and names, not credentials. */
const CLUSTER_KEYS = new Set(['name', 'server'])
/** Annotations that may repeat the whole object, data included. */
/** TLS secrets of argocd-agent, whose certificates run out (agent-mode 1.7, 1.10). */
const AGENT_TLS = /^argocd-agent-(ca|client-tls|principal-tls|resource-proxy-tls)$/
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * Takes every value out of a Secret, in place, and leaves the key names; of an Argo CD cluster secret `name` and `server`
 * stay, and of `config` whether it switches TLS off and how long its certificates are good; of argocd-agent's TLS secrets the public certificates. Done in the page
 * that brought the Secret, so that no later step can print or record what it never had.
 */
export function redactSecret(raw: unknown): void {
  if (!isObject(raw)) return
  const metadata = isObject(raw.metadata) ? raw.metadata : {}
  const labels = isObject(metadata.labels) ? metadata.labels : {}
  const isCluster = labels[SECRET_TYPE] === 'cluster'
  const isAgentTls = AGENT_TLS.test(text(metadata.name))
  for (const part of ['data', 'stringData']) {
    const values = raw[part]
    if (!isObject(values)) {
      // What is no map has no key names to keep.
      delete raw[part]
      continue
    }
    for (const key of Object.keys(values)) {
      if (isCluster && CLUSTER_KEYS.has(key)) continue
      const value = decoded(values[key], part)
      values[key] = encoded(
        isCluster && key === 'config'
          ? keptOfConfig(value)
          : isAgentTls && key === 'tls.crt'
            ? certificates(value)
            : '',
        part,
      )
    }
  }
  const annotations = metadata.annotations
  if (isObject(annotations)) for (const key of OBJECT_COPIES) delete annotations[key]
  delete metadata.managedFields
}

/** Only certificates, whatever else stands beside them. */
function certificates(pem: string): string {
  return (pem.match(CERTIFICATES) ?? []).join('\n')
}

function decoded(value: unknown, part: string): string {
  return part === 'data' ? Buffer.from(text(value), 'base64').toString('utf8') : text(value)
}

function encoded(value: string, part: string): string {
  return part === 'data' ? Buffer.from(value, 'utf8').toString('base64') : value
}
