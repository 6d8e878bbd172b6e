/** An object that aliases expand to absurd size, or that nests absurdly deep. */
export class TooBigError extends Error {}

/** etcd takes objects of 1.5 MiB, so that a real one stays far below these. */
const MOST_VALUES = 1_000_000
const DEEPEST = 500

/**
 * A number that differs, all but surely, where two JSON values differ; the order of keys does not count.
 *
 * @throws TooBigError
 */
export function fingerprint(value: unknown): number {
  const count = { values: 0 }
  return hash(value, 0, count)
}

function hash(value: unknown, depth: number, count: { values: number }): number {
  if (++count.values > MOST_VALUES) throw new TooBigError(`expands to more than ${MOST_VALUES} values`)
  if (depth > DEEPEST) throw new TooBigError(`nests deeper than ${DEEPEST} levels`)
  switch (typeof value) {
    case 'string':
      return hashText(value, 17)
    case 'number':
      return hashText(String(value), 19)
    case 'boolean':
      return value ? 23 : 29
    case 'object':
      break
    default:
      return 31
  }
  if (value === null) return 37
  let sum = 41
  if (Array.isArray(value)) {
    for (const item of value) sum = mix(sum, hash(item, depth + 1, count))
    return sum
  }
  for (const [key, field] of Object.entries(value))
    sum = (sum + mix(hashText(key, 43), hash(field, depth + 1, count))) | 0
  return mix(sum, 47)
}

function hashText(text: string, seed: number): number {
  let h = seed
  for (let i = 0; i < text.length; i++) h = (Math.imul(h, 31) + text.charCodeAt(i)) | 0
  return h
}

function mix(a: number, b: number): number {
  const h = Math.imul(a ^ (b + 0x9e3779b9), 0x85ebca6b)
  return h ^ (h >>> 15)
}
