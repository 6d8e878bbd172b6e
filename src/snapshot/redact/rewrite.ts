import type { KindName } from '../../fleet/kinds.ts'
import { isObject, type RawObject } from '../../raw.ts'
import { renameCertificates } from './certificate.ts'

/** Fields whose values are Kubernetes' own words. */
const STANDARD_FIELDS: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'apiGroup',
  'apiGroups',
  'verbs',
  'uid',
  'resourceVersion',
  'reason',
  'creationTimestamp',
  'lastTransitionTime',
  'serverVersion',
])
/** Fields that hold a user's prose or bytes, of which nobody reads anything here. */
const EMPTIED: ReadonlySet<string> = new Set(['description', 'displayName'])
/** Maps whose keys are a user's. */
const FREE_KEYS: ReadonlySet<string> = new Set([
  'labels',
  'annotations',
  'matchLabels',
  'selector',
  'nodeSelector',
  'data',
  'stringData',
  'values',
  'elements',
])

/**
 * An object with other names in it. Field names, kinds, reasons and times stay.
 *
 * @param text replaces what is to be replaced in a text
 */
export function rewriteObject(kind: KindName, object: RawObject, text: (value: string) => string): RawObject {
  const copy = rewriteMap(object, '', text, kind === 'Secret')
  if (kind === 'CertificateSigningRequest' && isObject(copy.spec)) copy.spec.request = ''
  return copy
}

function rewriteMap(
  map: RawObject,
  parent: string,
  text: (value: string) => string,
  isSecret: boolean,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  const isOpen = FREE_KEYS.has(parent)
  const holdsBase64 = parent === 'data' && isSecret
  for (const [key, value] of Object.entries(map)) {
    const name = isOpen ? keyOf(key, text) : key
    if (!isOpen && STANDARD_FIELDS.has(key)) copy[name] = value
    else if (EMPTIED.has(key) && typeof value === 'string') copy[name] = ''
    else if ((holdsBase64 || isBase64(key)) && typeof value === 'string') copy[name] = inBase64(value, text)
    else copy[name] = rewrite(value, key, text, isSecret || map.kind === 'Secret')
  }
  return copy
}

/** A label's key: what stands before the slash is the domain of whoever made it up. */
function keyOf(key: string, text: (value: string) => string): string {
  return key.includes('/') && /(^|\.)(k8s|kubernetes|open-cluster-management|argoproj|openshift)\.io\//.test(key)
    ? key
    : text(key)
}

function isBase64(key: string): boolean {
  return key === 'caBundle' || key === 'certificate' || /\/user-(identity|group)$/.test(key)
}

function rewrite(value: unknown, key: string, text: (value: string) => string, isSecret: boolean): unknown {
  if (typeof value === 'string') {
    return value.includes('-----BEGIN ') ? renameCertificates(value, text) : text(value)
  }
  if (Array.isArray(value)) return value.map(item => rewrite(item, key, text, isSecret))
  return isObject(value) ? rewriteMap(value, key, text, isSecret) : value
}

function inBase64(value: string, text: (value: string) => string): string {
  const plain = Buffer.from(value, 'base64').toString('utf8')
  const other = plain.includes('-----BEGIN ') ? renameCertificates(plain, text) : text(plain)
  return other === plain ? value : Buffer.from(other, 'utf8').toString('base64')
}
