import { valueAt } from '../raw.ts'
import { type Certificate, readCertificate } from './certificate.ts'

/** From when until when something is good. Epoch milliseconds. */
export type Validity = Pick<Certificate, 'notBefore' | 'notAfter'>

/** All that is ever kept of the `config` of an Argo CD cluster secret: flags and times, never a value. */
export interface ClusterConfig {
  /** The server's certificate is not to be verified. */
  readonly insecure: boolean
  /** Of the client certificate by which Argo CD logs in. */
  readonly client: Validity | undefined
  /** Of the CAs by which it knows the server: good as long as one of them is. */
  readonly authority: Validity | undefined
}

/** Where the times stand in a `config` from which everything else was taken. */
const KEPT = 'fleetctl.io/validity'
const INSECURE = /"insecure"\s*:\s*true/
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** CAs are the same for many clusters: the last bundle that was read. */
let last: { readonly pem: string; readonly validity: Validity | undefined } | undefined

/** Of several certificates from the first start to the last end. */
function validityOf(data: unknown): Validity | undefined {
  if (typeof data !== 'string' || data === '') return undefined
  if (last?.pem === data) return last.validity
  const pems = Buffer.from(data, 'base64').toString('utf8').match(CERTIFICATES) ?? []
  const found = pems.flatMap(pem => readCertificate(pem) ?? [])
  const validity =
    found.length === 0
      ? undefined
      : { notBefore: Math.min(...found.map(c => c.notBefore)), notAfter: Math.max(...found.map(c => c.notAfter)) }
  last = { pem: data, validity }
  return validity
}

function keptValidity(value: unknown): Validity | undefined {
  if (!Array.isArray(value)) return undefined
  const [from, until]: unknown[] = value
  return typeof from === 'number' && typeof until === 'number' ? { notBefore: from, notAfter: until } : undefined
}

/** Reads a `config`, whole or as `keptOfConfig` left it. What is no JSON has no certificates. */
export function readConfig(text: string): ClusterConfig {
  const insecure = INSECURE.test(text)
  if (!/"(certData|caData|fleetctl\.io\/validity)"/.test(text)) {
    return { insecure, client: undefined, authority: undefined }
  }
  const config = parsed(text)
  return {
    insecure,
    client: validityOf(valueAt(config, 'tlsClientConfig', 'certData')) ?? keptValidity(valueAt(config, KEPT, 'client')),
    authority:
      validityOf(valueAt(config, 'tlsClientConfig', 'caData')) ?? keptValidity(valueAt(config, KEPT, 'authority')),
  }
}

/** The `config` without anything but flags and times; empty where it says nothing of these. */
export function keptOfConfig(text: string): string {
  const { insecure, client, authority } = readConfig(text)
  const times = (v: Validity | undefined) => (v === undefined ? undefined : [v.notBefore, v.notAfter])
  if (!insecure && client === undefined && authority === undefined) return ''
  return JSON.stringify({
    ...(insecure ? { tlsClientConfig: { insecure: true } } : {}),
    ...(client === undefined && authority === undefined
      ? {}
      : { [KEPT]: { client: times(client), authority: times(authority) } }),
  })
}
