import { isObject } from '../../raw.ts'

const SEEDS = [0x811c9dc5, 0x5bd1e995] as const

function mix(a: number, b: number): number {
  const h = Math.imul(a ^ b, 0x85ebca6b)
  return Math.imul(h ^ (h >>> 15), 0xc2b2ae35) ^ (h >>> 13)
}

function hashText(text: string, seed: number): number {
  let h = seed
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return mix(h, text.length)
}

/** Undefined for what means nothing; the order of keys does not count. */
function hash(value: unknown, skip: readonly string[], seed: number): number | undefined {
  if (typeof value === 'string') return hashText(value, seed)
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined
    let h = mix(seed, value.length)
    for (const item of value) h = mix(h, hash(item, NONE, seed) ?? 1)
    return h
  }
  if (!isObject(value)) return mix(hashText(String(value), seed), 2)
  let sum = 0
  let fields = 0
  for (const key in value) {
    if (skip.includes(key)) continue
    const field = hash(value[key], NONE, seed)
    if (field === undefined) continue
    sum = (sum + mix(hashText(key, seed), field)) | 0
    fields++
  }
  return fields === 0 ? undefined : mix(sum, fields)
}

const NONE: readonly string[] = []

/**
 * A short fingerprint of an object's meaning, without the named top-level keys: equal means "wants the same". The order of keys
 * does not count; empty objects, empty lists and nulls are left out, since an API server, a controller and a template may each
 * write or drop them without meaning anything by it.
 */
export function canonicalHash(value: unknown, skip: readonly string[] = NONE): string {
  return SEEDS.map(seed => ((hash(value, skip, seed) ?? 0) >>> 0).toString(36)).join('-')
}
