import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readCertificate } from '../../fleet/certificate.ts'

/** Every certificate in a text, with what PEM puts around it. */
const PEM = /-----BEGIN ([A-Z ]+)-----[^-]*-----END \1-----/g

/** A key for all: a certificate of it says nothing, and signing with it (Ed25519) gives the same bytes each time. */
const KEY = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 1)]),
  format: 'der',
  type: 'pkcs8',
})

/**
 * A text in which certificates are made anew: valid as long as they were and good for the names that `rename` gives, but from
 * nobody and to nobody. What else stands in PEM is emptied.
 */
export function renameCertificates(text: string, rename: (name: string) => string): string {
  return text.replace(PEM, (pem, label: string) => {
    const found = label === 'CERTIFICATE' ? readCertificate(pem) : undefined
    if (found === undefined) return `-----BEGIN ${label}-----\n-----END ${label}-----`
    const der = certificate(found.notBefore, found.notAfter, found.names.map(rename))
    const lines = der.toString('base64').match(/.{1,64}/g) ?? []
    return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n')
  })
}

/** Hosts and addresses that certificates in a text are good for. */
export function certifiedNames(text: string): readonly string[] {
  return [...text.matchAll(PEM)].flatMap(([pem]) => readCertificate(pem)?.names ?? [])
}

const ED25519 = der(0x30, der(0x06, Buffer.from('2b6570', 'hex')))
/** commonName */
const CN = der(0x06, Buffer.from('550403', 'hex'))
/** subjectAltName */
const SAN = der(0x06, Buffer.from('551d11', 'hex'))
const NOBODY = der(0x30, der(0x31, der(0x30, CN, der(0x0c, Buffer.from('redacted')))))

/** A self-signed X.509 v3 certificate (RFC 5280 4.1) in DER. */
function certificate(notBefore: number, notAfter: number, names: readonly string[]): Buffer {
  const hosts = names.map(name =>
    addressBytes(name) === undefined ? der(0x82, Buffer.from(name)) : der(0x87, addressBytes(name) ?? Buffer.alloc(0)),
  )
  const extensions = names.length === 0 ? [] : [der(0xa3, der(0x30, der(0x30, SAN, der(0x04, der(0x30, ...hosts)))))]
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ED25519,
    NOBODY,
    der(0x30, time(notBefore), time(notAfter)),
    NOBODY,
    createPublicKey(KEY).export({ format: 'der', type: 'spki' }),
    ...extensions,
  )
  return der(0x30, body, ED25519, der(0x03, Buffer.from([0]), sign(null, body, KEY)))
}

/** GeneralizedTime. */
function time(ms: number): Buffer {
  return der(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')}`))
}

function addressBytes(name: string): Buffer | undefined {
  return /^\d+(\.\d+){3}$/.test(name) ? Buffer.from(name.split('.').map(Number)) : undefined
}

/** Tag, length, value. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const size = value.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), value])
}
