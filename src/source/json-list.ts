import { isUtf8 } from 'node:buffer'
import type { Parsed } from './documents.ts'
import type { FileContent } from './tree.ts'
import { parseYaml } from './yaml.ts'

/** JSON up to this many bytes is parsed as a whole. */
const WHOLE_UP_TO = 1024 * 1024

const ITEMS_AT_ONCE = 16

/** The longest beginning that two items are taken to have in common. */
const LONGEST_PREFIX = 32

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** What ends a number or a word. */
const ENDS: ReadonlySet<number | undefined> = new Set([COMMA, CLOSE_BRACE, CLOSE_BRACKET])

/** A list in a file: `items` lie between `start` and `end`. */
interface ListBytes {
  readonly bytes: Buffer
  /** Begin of the first item. */
  readonly start: number
  /** Behind the last item. */
  readonly end: number
  /** How an item ends and the next one begins, as a rule; empty for a single item. */
  readonly seam: Buffer
  /** Where in the seam the next item begins. */
  readonly next: number
}

type Head = { readonly apiVersion?: unknown; readonly kind?: unknown }

/**
 * A large JSON list (an object with `items`) as lists of some of its items each, parsed as they are asked for: neither its text
 * nor its 50,000 objects are ever in memory as a whole, which takes half of the time as well. The first has no items but all
 * that stands beside them.
 *
 * Takes the content out. An item that cannot be parsed becomes an error, and the others are kept.
 *
 * @returns undefined for any other content, which is left in place to be parsed as a whole.
 */
export function takeList(content: FileContent): Iterable<Parsed> | undefined {
  const bytes = 'bytes' in content ? content.bytes : undefined
  if (bytes === undefined || bytes.length <= WHOLE_UP_TO || bytes.includes(0) || !isUtf8(bytes)) return undefined
  const start = findItems(bytes)
  const list = start === undefined ? undefined : measure(bytes, start)
  if (start === undefined || list === undefined || !('bytes' in content)) return undefined
  let head: unknown
  try {
    head = JSON.parse(bytes.toString('utf8', 0, start) + bytes.toString('utf8', list.end))
  } catch {
    return undefined
  }
  if (typeof head !== 'object' || head === null) return undefined
  content.bytes = undefined
  return pieces(list, head)
}

function* pieces(list: ListBytes, head: Head): Generator<Parsed> {
  yield { value: head }
  const { apiVersion, kind } = head
  const type = { ...(apiVersion === undefined ? {} : { apiVersion }), ...(kind === undefined ? {} : { kind }) }
  let items: unknown[] = []
  for (const item of itemsOf(list)) {
    if (item.error !== undefined) {
      yield item
      continue
    }
    items.push(item.value)
    if (items.length < ITEMS_AT_ONCE) continue
    yield { value: { ...type, items } }
    items = []
  }
  if (items.length > 0) yield { value: { ...type, items } }
}

/**
 * Items are cut at the seam that the first two have between them. What parses is one object, and so the cut was right; where it
 * does not, for instance because the seam occurs inside an item, brackets are counted.
 */
function* itemsOf({ bytes, start, end, seam, next }: ListBytes): Generator<Parsed> {
  let at = start
  while (at < end) {
    const found = seam.length === 0 ? -1 : bytes.indexOf(seam, at)
    const cut = found < 0 || found >= end ? end : found + 1
    const item = bytes[at] === OPEN_BRACE ? parse(bytes, at, cut) : undefined
    if (item !== undefined) {
      yield { value: item }
      at = cut === end ? end : found + next
      continue
    }
    const close = Math.min(endOfValue(bytes, at), end)
    if (bytes[at] === OPEN_BRACE) yield oneItem(bytes, at, close)
    else yield { error: 'an item of the list is no object', line: lineOf(bytes, at) }
    at = skipSpace(bytes, close)
    if (at < end && bytes[at] !== COMMA) {
      yield { error: 'not valid JSON', line: lineOf(bytes, at) }
      return
    }
    at = skipSpace(bytes, at + 1)
  }
}

/** YAML allows more than JSON, a trailing comma for instance. */
function oneItem(bytes: Buffer, from: number, to: number): Parsed {
  const value = parse(bytes, from, to)
  if (value !== undefined) return { value }
  const [document, ...more] = to - from > WHOLE_UP_TO ? [] : parseYaml(bytes.toString('utf8', from, to))
  return document !== undefined && document.error === undefined && more.length === 0
    ? document
    : { error: 'not valid JSON', line: lineOf(bytes, from) }
}

function parse(bytes: Buffer, from: number, to: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', from, to))
  } catch {
    return undefined
  }
}

/** Line of an offset, 1-based. */
function lineOf(bytes: Buffer, offset: number): number {
  let line = 1
  for (let at = bytes.indexOf(0x0a); at >= 0 && at < offset; at = bytes.indexOf(0x0a, at + 1)) line++
  return line
}

/** Where the first item of the list begins; undefined where there is none, or no list. */
function findItems(bytes: Buffer): number | undefined {
  let at = skipSpace(bytes, 0)
  if (bytes[at] !== OPEN_BRACE) return undefined
  at = skipSpace(bytes, at + 1)
  while (bytes[at] === QUOTE) {
    const key = endOfString(bytes, at)
    const isItems = bytes.toString('latin1', at, key) === '"items"'
    at = skipSpace(bytes, key)
    if (bytes[at] !== COLON) return undefined
    at = skipSpace(bytes, at + 1)
    if (isItems) {
      at = bytes[at] === OPEN_BRACKET ? skipSpace(bytes, at + 1) : at
      return bytes[at] === OPEN_BRACE ? at : undefined
    }
    at = skipSpace(bytes, endOfValue(bytes, at))
    if (bytes[at] !== COMMA) return undefined
    at = skipSpace(bytes, at + 1)
  }
  return undefined
}

/** Finds the seam and the end of a list; undefined where it does not end as a list does. */
function measure(bytes: Buffer, start: number): ListBytes | undefined {
  const first = endOfNested(bytes, start)
  if (first === undefined) return undefined
  let end = first
  let at = skipSpace(bytes, first)
  let seam = bytes.subarray(0, 0)
  let next = 0
  if (bytes[at] === COMMA) {
    at = skipSpace(bytes, at + 1)
    if (bytes[at] !== OPEN_BRACE) return undefined
    let common = 1
    while (common < LONGEST_PREFIX && bytes[start + common] === bytes[at + common]) common++
    seam = bytes.subarray(first - 1, at + common)
    next = at - first + 1
    const last = endOfNested(bytes, bytes.lastIndexOf(seam) + next)
    if (last === undefined) return undefined
    end = last
    at = skipSpace(bytes, end)
  }
  return bytes[at] === CLOSE_BRACKET ? { bytes, start, end, seam, next } : undefined
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  for (let c = bytes[at] ?? 0; c === 0x20 || (c >= 9 && c <= 13); c = bytes[at] ?? 0) at++
  return at
}

function endOfValue(bytes: Buffer, from: number): number {
  const c = bytes[from]
  if (c === QUOTE) return endOfString(bytes, from)
  if (c === OPEN_BRACE || c === OPEN_BRACKET) return endOfNested(bytes, from) ?? bytes.length
  let at = from
  while (at < bytes.length && !ENDS.has(bytes[at])) at++
  return at
}

function endOfNested(bytes: Buffer, from: number): number | undefined {
  let depth = 0
  for (let at = from; at < bytes.length; at++) {
    const c = bytes[at]
    if (c === QUOTE) at = endOfString(bytes, at) - 1
    else if (c === OPEN_BRACE || c === OPEN_BRACKET) depth++
    else if ((c === CLOSE_BRACE || c === CLOSE_BRACKET) && --depth === 0) return at + 1
  }
  return undefined
}

/** Behind the closing quote, or at the end of a text that ends before it. */
function endOfString(bytes: Buffer, from: number): number {
  let at = from + 1
  for (let c = bytes[at]; at < bytes.length && c !== QUOTE; c = bytes[at]) at += c === BACKSLASH ? 2 : 1
  return at + 1
}
