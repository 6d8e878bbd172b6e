import { LAST_APPLIED, OBJECT_COPIES } from '../fleet/labels.ts'
import { redactSecret } from '../kube/redact.ts'
import { isObject, type RawObject, text, valueAt } from '../raw.ts'

/** Whoever stands in front of a host with a password, or in front of a web server at all (tokens are given so). */
const CREDENTIALS = /(https?:\/\/)[^\s/@'"]+@|([a-z][a-z0-9+.-]*:\/\/)[^\s/@:'"]+:[^\s/@'"]+@/gi

/** Names of settings that hold something secret: variables, parameters, keys in a configuration. */
const SECRET_NAME = /(password|passwd|passphrase|secret|token|api_?key|private_?key|bindpw|credentials?)$/i
/** A line of a configuration that gives such a setting a value of its own, and not a reference (`$key` in Argo CD). */
const SECRET_LINE =
  /^([ \t-]*["']?[\w.-]*(?:password|passwd|passphrase|secret|token|api_?key|private_?key|bindpw)["']?[ \t]*[:=][ \t]*)(?![$|>{[])(\S.*)$/gim

/** A text without the credentials in its URLs. */
function withoutCredentials(value: string): string {
  return value.includes('@') ? value.replace(CREDENTIALS, (_, web, other) => `${web ?? other}***@`) : value
}

/**
 * An object as it may be written to disk: no value of a Secret, also where the Secret lies inside another object (in a
 * ManifestWork, a Policy, a template), no copies of the whole object in annotations, no credentials in URLs, in variables and
 * parameters that are called so or in the configuration in a ConfigMap, and of managedFields only who and when. A copy; the object itself stays.
 */
export function cleaned(raw: RawObject): RawObject {
  const copy = cleanObject(raw)
  if (isSecret(raw)) redactSecret(copy)
  if (raw.kind === 'ArgoCD') keepApplied(raw, copy)
  return copy
}

/** Which fields of an ArgoCD were applied and dropped is told by the copy alone (agent-mode.md 0.1); it is cleaned as well. */
function keepApplied(raw: RawObject, copy: RawObject): void {
  const told = valueAt(raw, 'metadata', 'annotations', LAST_APPLIED)
  const annotations = valueAt(copy, 'metadata', 'annotations')
  if (typeof told !== 'string' || !isObject(annotations)) return
  try {
    const applied: unknown = JSON.parse(told)
    if (isObject(applied)) annotations[LAST_APPLIED] = JSON.stringify(cleaned(applied))
  } catch {
    // No copy of anything: nobody can tell from it what was dropped.
  }
}

function cleanObject(raw: RawObject): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(raw)) {
    if (OBJECT_COPIES.includes(key)) continue
    copy[key] = key === 'managedFields' ? writers(value) : cleanValue(value)
  }
  if (typeof copy.value === 'string' && SECRET_NAME.test(text(copy.name))) copy.value = masked(copy.value)
  if (raw.kind === 'ConfigMap' && isObject(copy.data)) maskConfiguration(copy.data)
  return copy
}

/** Who wrote an object and when; not the fields, which are most of its size and which nothing that reads asks for. */
function writers(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.filter(isObject).map(({ manager, operation, subresource, time }) => ({
    manager,
    operation,
    ...(subresource === undefined ? {} : { subresource }),
    time,
  }))
}

/** References stay, and so does that there is a value. */
function masked(value: string): string {
  return value === '' || /^(\$|\{\{)/.test(value) ? value : '***'
}

function maskConfiguration(data: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(data)) {
    if (typeof value !== 'string') continue
    data[key] = SECRET_NAME.test(key) ? masked(value) : value.replaceAll(SECRET_LINE, '$1***')
  }
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return withoutCredentials(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  return isObject(value) ? cleaned(value) : value
}

/** Kinds that hold values like a Secret's: the core kind, and templates of it without a version. */
function isSecret(raw: RawObject): boolean {
  return text(raw.kind) === 'Secret' && !text(raw.apiVersion).includes('/')
}
