import { createHash } from 'node:crypto'
import { isRaw } from './fields.ts'

/**
 * Values as JSON with sorted keys; empty objects, empty lists and nulls are left out, since an API server, a controller and a
 * template may each write or drop them without meaning anything by it.
 */
function canonical(value: unknown, skip: readonly string[]): string | undefined {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined
    return `[${value.map(item => canonical(item, []) ?? 'null').join(',')}]`
  }
  if (!isRaw(value)) return JSON.stringify(value)
  const parts: string[] = []
  for (const key of Object.keys(value).sort()) {
    if (skip.includes(key)) continue
    const text = canonical(value[key], [])
    if (text !== undefined) parts.push(`${JSON.stringify(key)}:${text}`)
  }
  return parts.length === 0 ? undefined : `{${parts.join(',')}}`
}

/** A short fingerprint of an object's meaning, without the named top-level keys: equal means "wants the same". */
export function canonicalHash(value: unknown, skip: readonly string[] = []): string {
  return createHash('sha1')
    .update(canonical(value, skip) ?? '')
    .digest('base64')
    .slice(0, 16)
}
