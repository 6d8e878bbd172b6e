/** Narrowing of values that came over the wire. */
export type RawObject = Record<string, unknown>

export function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of a value that may be no object at all. */
export function field(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined
}

/** A nested field; undefined as soon as a step is no object. */
export function path(value: unknown, ...keys: readonly string[]): unknown {
  let at = value
  for (const key of keys) at = field(at, key)
  return at
}

/** The string, or '' for anything else. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The array, or an empty one for anything else (null lists are common in real clusters). */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The strings of an array; other members are left out. */
export function texts(value: unknown): readonly string[] {
  return list(value).filter((v): v is string => typeof v === 'string')
}

/** The string values of a map; other values are left out. */
export function textMap(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((e): e is [string, string] => typeof e[1] === 'string'))
}
