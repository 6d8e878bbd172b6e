/** Narrowing of values of which nothing is known yet: what a cluster answered, or a file holds. */

/** A JSON object. Nothing about its fields is known. */
export type RawObject = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object; a list is none. To be written to only where the value is a copy of one's own. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a value is, for a message: `a list`, `null`, `an object`, `a string`. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** A nested value; undefined as soon as a step is no object. */
export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  let at = value
  for (const key of keys) at = isObject(at) ? at[key] : undefined
  return at
}

/** A nested string; '' for anything else. */
export function textAt(value: unknown, ...keys: readonly string[]): string {
  return text(valueAt(value, ...keys))
}

/** A nested list; an empty one for anything else. */
export function listAt(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  return list(valueAt(value, ...keys))
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

/** A copy with a nested value set, or taken away where it is undefined. What is no object on the way becomes one. */
export function withValueAt(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to
  const base = isObject(value) ? value : {}
  if (rest.length > 0 || to !== undefined) return { ...base, [key]: withValueAt(base[key], rest, to) }
  const { [key]: _, ...others } = base
  return others
}
