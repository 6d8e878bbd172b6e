import { stripVTControlCharacters } from 'node:util'

/** C0 and C1 controls but line feed, lone surrogates, and the marks that reorder or hide text on a terminal. */
const UNSAFE = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/u
const UNSAFE_ALL = new RegExp(UNSAFE.source, 'gu')

/**
 * Text that was read from a cluster, made safe to print: terminal escapes, control characters and bidirectional overrides
 * are gone, tabs are blanks, line ends are `\n`.
 */
export function clean(text: string): string {
  if (!UNSAFE.test(text)) return text
  return stripVTControlCharacters(text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ')).replaceAll(UNSAFE_ALL, '')
}

/** The same on a single line: runs of white space are one blank. */
export function oneLine(text: string): string {
  return clean(text).replaceAll(/\s+/g, ' ').trim()
}

/** A copy of a document in which every string is `clean`; keys are field names of ours and stay. */
export function cleanDocument<T>(document: T): T {
  // The walk keeps the shape, which the type system cannot follow.
  return cleanValue(document) as T
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, cleanValue(field)]))
}

/**
 * Characters that JSON may hold as they are but that a terminal acts upon, as `\uXXXX`: the value stays the same. For use
 * on JSON text and inside double-quoted YAML only.
 */
export function escapeUnsafe(text: string): string {
  return text.replaceAll(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
    c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Does the text hold a character that `escapeUnsafe` or a double-quoted YAML scalar must spell out? */
export function needsEscape(text: string): boolean {
  return UNSAFE.test(text)
}
