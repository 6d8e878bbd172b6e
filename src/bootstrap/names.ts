import { UsageError } from '../errors.ts'

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** Is the name a DNS label, as namespaces and (for us) clusters must be? */
export function isDnsLabel(name: string): boolean {
  return DNS_LABEL.test(name)
}

/** @throws UsageError where the name cannot be an object's */
export function checkObjectName(name: string, flag: string): string {
  if (DNS_SUBDOMAIN.test(name) && name.length <= 253) return name
  throw new UsageError(`invalid name "${name}" for ${flag}: lower-case letters, digits, "-" and "." only, up to 253`)
}

/** @throws UsageError where the name cannot be a namespace's */
export function checkNamespace(name: string, flag: string): string {
  if (isDnsLabel(name)) return name
  throw new UsageError(`invalid namespace "${name}" for ${flag}: lower-case letters, digits and "-" only, up to 63`)
}

/** `a`, `a and b`, `a, b and 3 more`. */
export function listed(items: readonly string[], most = 6): string {
  if (items.length <= 1) return items[0] ?? 'none'
  if (items.length > most) return `${items.slice(0, most).join(', ')} and ${items.length - most} more`
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}
