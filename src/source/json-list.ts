import type { Parsed } from './documents.ts'

/** Where the items of a list stand in its text. */
interface ListText {
  /** The list as JSON, without its items. */
  readonly head: string
  /** Begin and end of each item, one after the other. */
  readonly spans: readonly number[]
}

const ITEMS_AT_ONCE = 256

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * A JSON list (an object with `items`) as lists of some of its items each, parsed as they are asked for: a list of 50,000
 * objects is never in memory as a whole, which halves the time as well. The first holds no items but all else.
 *
 * An item that is no valid JSON becomes an error, and the others are kept.
 *
 * @returns undefined for any other text, or where an item is no object: then the whole is to be parsed.
 */
export function parseInPieces(text: string, lineOf: (offset: number) => number): Iterable<Parsed> | undefined {
  const list = findItems(text)
  if (list === undefined) return undefined
  let head: unknown
  try {
    head = JSON.parse(list.head)
  } catch {
    return undefined
  }
  return typeof head === 'object' && head !== null ? pieces(text, list.spans, head, lineOf) : undefined
}

function* pieces(
  text: string,
  spans: readonly number[],
  head: { readonly apiVersion?: unknown; readonly kind?: unknown },
  lineOf: (offset: number) => number,
): Generator<Parsed> {
  yield { value: head }
  const { apiVersion, kind } = head
  const type = { ...(apiVersion === undefined ? {} : { apiVersion }), ...(kind === undefined ? {} : { kind }) }
  let items: unknown[] = []
  for (let i = 0; i + 1 < spans.length; i += 2) {
    const from = spans[i] ?? 0
    try {
      items.push(JSON.parse(text.slice(from, spans[i + 1])))
    } catch {
      yield { error: 'not valid JSON', line: lineOf(from) }
    }
    if (items.length < ITEMS_AT_ONCE) continue
    yield { value: { ...type, items } }
    items = []
  }
  if (items.length > 0) yield { value: { ...type, items } }
}

function findItems(text: string): ListText | undefined {
  let at = skipSpace(text, 0)
  if (text.charCodeAt(at) !== OPEN_BRACE) return undefined
  at = skipSpace(text, at + 1)
  while (text.charCodeAt(at) === QUOTE) {
    const key = endOfString(text, at)
    if (key === undefined) return undefined
    const isItems = text.slice(at, key) === '"items"'
    at = skipSpace(text, key)
    if (text.charCodeAt(at) !== COLON) return undefined
    at = skipSpace(text, at + 1)
    if (isItems) return text.charCodeAt(at) === OPEN_BRACKET ? itemsFrom(text, at + 1) : undefined
    const end = endOfValue(text, at)
    if (end === undefined) return undefined
    at = skipSpace(text, end)
    if (text.charCodeAt(at) !== COMMA) return undefined
    at = skipSpace(text, at + 1)
  }
  return undefined
}

/** `start` is behind the opening bracket. */
function itemsFrom(text: string, start: number): ListText | undefined {
  const spans: number[] = []
  let at = skipSpace(text, start)
  while (text.charCodeAt(at) === OPEN_BRACE) {
    const end = endOfNested(text, at)
    if (end === undefined) return undefined
    spans.push(at, end)
    at = skipSpace(text, end)
    if (text.charCodeAt(at) !== COMMA) break
    at = skipSpace(text, at + 1)
    if (text.charCodeAt(at) !== OPEN_BRACE) return undefined
  }
  return text.charCodeAt(at) === CLOSE_BRACKET ? { head: text.slice(0, start) + text.slice(at), spans } : undefined
}

function skipSpace(text: string, from: number): number {
  let at = from
  for (let c = text.charCodeAt(at); c === 0x20 || (c >= 9 && c <= 13); c = text.charCodeAt(at)) at++
  return at
}

function endOfValue(text: string, from: number): number | undefined {
  const c = text.charCodeAt(from)
  if (c === QUOTE) return endOfString(text, from)
  if (c === OPEN_BRACE || c === OPEN_BRACKET) return endOfNested(text, from)
  let at = from
  while (at < text.length && text.charCodeAt(at) !== COMMA && text.charCodeAt(at) !== CLOSE_BRACE) at++
  return at
}

function endOfNested(text: string, from: number): number | undefined {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (c === QUOTE) {
      const end = endOfString(text, at)
      if (end === undefined) return undefined
      at = end - 1
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) depth++
    else if ((c === CLOSE_BRACE || c === CLOSE_BRACKET) && --depth === 0) return at + 1
  }
  return undefined
}

function endOfString(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at + 1
  }
  return undefined
}
