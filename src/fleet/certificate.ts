import { X509Certificate } from 'node:crypto'
import type { Condition } from './records.ts'

/** What a public certificate says of itself. Times are epoch milliseconds. */
export interface Certificate {
  readonly notBefore: number
  readonly notAfter: number
  /** Host names and addresses that it is good for (subject alternative names). */
  readonly names: readonly string[]
}

/** Reads the first certificate of a PEM text; undefined where there is none that can be read. */
export function readCertificate(pem: string | undefined): Certificate | undefined {
  if (pem === undefined || !pem.includes('-----BEGIN CERTIFICATE-----')) return undefined
  try {
    const found = new X509Certificate(pem)
    const names = (found.subjectAltName ?? '').split(', ').map(entry => entry.replace(/^(DNS|IP Address):/, ''))
    return {
      notBefore: Date.parse(found.validFrom),
      notAfter: Date.parse(found.validTo),
      names: names.filter(name => name !== ''),
    }
  } catch {
    return undefined
  }
}

/** Is a host among the names of a certificate? A leading `*.` stands for one label (RFC 6125). */
export function certifies({ names }: Certificate, host: string): boolean {
  const wanted = host.toLowerCase()
  return names.some(n => {
    const name = n.toLowerCase()
    if (!name.startsWith('*.')) return name === wanted
    const dot = wanted.indexOf('.')
    return dot > 0 && wanted.slice(dot) === name.slice(1)
  })
}

/**
 * Until when the client certificate that OCM registration last issued to an add-on is good, epoch milliseconds; undefined
 * where the add-on does not say. Its condition stays as it is when the certificate is lost (seen).
 */
export function rotatedUntil(addon: { readonly conditions: readonly Condition[] } | undefined): number | undefined {
  const rotated = addon?.conditions.find(c => c.type === 'ClusterCertificateRotated' && c.status === 'True')
  const end = / to (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) \+0000 UTC/.exec(rotated?.message ?? '')
  return end === null ? undefined : Date.parse(`${end[1]}T${end[2]}Z`)
}
