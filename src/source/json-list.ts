import { isUtf8 } from 'node:buffer'
import type { Parsed } from './documents.ts'
import {
  CLOSE_BRACKET,
  COLON,
  COMMA,
  endOfNested,
  endOfString,
  endOfValue,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipSpace,
} from './json-scan.ts'
import { type Bytes, bytesOf } from './large-file.ts'
import type { FileContent } from './tree.ts'
import { parseYaml } from './yaml.ts'

/** JSON up to this many bytes is parsed as a whole. */
const WHOLE_UP_TO = 1024 * 1024

/** Bytes at hand at a time, if the items are not larger. */
const PART = 4 * 1024 * 1024

const ITEMS_AT_ONCE = 16

/** The longest beginning that two items are taken to have in common. */
const LONGEST_PREFIX = 32

/** A list in a file: `items` lie between `start` and `end`. */
interface List {
  /** What stands beside the items, with an empty list of them. */
  readonly head: { readonly apiVersion?: unknown; readonly kind?: unknown }
  /** Begin of the first item. */
  readonly start: number
  /** Behind the last item. */
  readonly end: number
  /** How an item ends and the next one begins, as a rule. */
  readonly seam: Buffer
  /** Where in the seam the next item begins. */
  readonly next: number
}

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
  if (content.failure !== undefined || content.text !== undefined) return undefined
  const bytes = content.file ?? (content.bytes === undefined ? undefined : bytesOf(content.bytes))
  if (bytes === undefined || bytes.size <= WHOLE_UP_TO) return undefined
  let list: List | undefined
  try {
    list = listIn(bytes)
  } catch {
    // Whatever keeps it from being read, reading it as text says.
  }
  if (list === undefined) return undefined
  content.file = undefined
  content.bytes = undefined
  return pieces(bytes, list)
}

function* pieces(bytes: Bytes, list: List): Generator<Parsed> {
  const { apiVersion, kind } = list.head
  const type = { ...(apiVersion === undefined ? {} : { apiVersion }), ...(kind === undefined ? {} : { kind }) }
  try {
    yield { value: list.head }
    let items: unknown[] = []
    for (const item of itemsOf(bytes, list)) {
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
  } finally {
    bytes.close()
  }
}

/**
 * Items are cut at the seam that the first two have between them. What parses is one object, and so the cut was right; where it
 * does not, for instance because the seam occurs inside an item, brackets are counted.
 */
function* itemsOf(bytes: Bytes, { start, end, seam, next }: List): Generator<Parsed> {
  let base = start
  let size = PART
  let at = 0
  let part = bytes.part(base, Math.min(base + size, end))
  const moveTo = (offset: number): void => {
    base += offset
    at = 0
    part = bytes.part(base, Math.min(base + size, end))
  }
  let replaced = false
  while (base + at < end) {
    const found = part.indexOf(seam, at)
    const whole = base + part.length >= end
    let to = found >= 0 ? found + 1 : whole ? part.length : -1
    let text = to < 0 ? '' : part.toString('utf8', at, to)
    let value = parse(text)
    const cut = value !== undefined
    if (!cut) {
      const close = endOfValue(part, at)
      if (close > part.length && !whole) {
        // The item goes on behind what is at hand.
        if (at === 0) size *= 2
        moveTo(at)
        continue
      }
      to = Math.min(close, part.length)
      text = part.toString('utf8', at, to)
      value = parse(text) ?? lenient(text)
    }
    if (!replaced && text.includes('\ufffd') && !isUtf8(part.subarray(at, to))) {
      replaced = true
      yield { error: 'some characters are not valid UTF-8 and were replaced' }
    }
    if (value !== undefined) yield { value }
    else {
      const error = part[at] === OPEN_BRACE ? 'not valid JSON' : 'an item of the list is no object'
      yield { error, line: lineOf(bytes, base + at) }
      moveTo(at)
      to -= at
    }
    if (cut) {
      at = found < 0 ? to : found + next
      continue
    }
    moveTo(skipSpace(part, to))
    if (base < end && part[0] !== COMMA) {
      yield { error: 'not valid JSON', line: lineOf(bytes, base) }
      return
    }
    at = skipSpace(part, 1)
  }
}

function parse(text: string): unknown {
  // What is no object is none of ours, though it may be JSON.
  if (text[0] !== '{') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** YAML allows more than JSON, a trailing comma for instance. */
function lenient(text: string): unknown {
  if (text[0] !== '{' || text.length > WHOLE_UP_TO) return undefined
  const [document, ...more] = parseYaml(text)
  return document?.error === undefined && more.length === 0 ? document?.value : undefined
}

/** Line of an offset, 1-based. */
function lineOf(bytes: Bytes, offset: number): number {
  let line = 1
  for (let from = 0; from < offset; from += PART) {
    const part = bytes.part(from, Math.min(from + PART, offset))
    for (let at = part.indexOf(0x0a); at >= 0; at = part.indexOf(0x0a, at + 1)) line++
  }
  return line
}

/** Finds the items, by the beginning of a file and its end; undefined where it is no list, or is not whole. */
function listIn(bytes: Bytes): List | undefined {
  const front = bytes.part(0, PART)
  const start = findItems(front)
  if (start === undefined) return undefined
  const first = endOfNested(front, start)
  const comma = skipSpace(front, first)
  const second = skipSpace(front, comma + 1)
  if (front[comma] !== COMMA || front[second] !== OPEN_BRACE) return undefined
  let common = 1
  while (common < LONGEST_PREFIX && front[start + common] === front[second + common]) common++
  const seam = Buffer.from(front.subarray(first - 1, second + common))
  const next = second - first + 1
  const before = front.toString('utf8', 0, start)
  const tail = Math.max(0, bytes.size - PART)
  const back = bytes.part(tail, bytes.size)
  const last = back.lastIndexOf(seam)
  const end = last < 0 ? back.length + 1 : endOfNested(back, last + next)
  if (back[skipSpace(back, end)] !== CLOSE_BRACKET) return undefined
  try {
    const head: unknown = JSON.parse(before + back.toString('utf8', end))
    return typeof head === 'object' && head !== null ? { head, start, end: tail + end, seam, next } : undefined
  } catch {
    return undefined
  }
}

/** Where the first item begins; undefined where there is none, or no list. */
function findItems(front: Buffer): number | undefined {
  let at = skipSpace(front, 0)
  if (front[at] !== OPEN_BRACE) return undefined
  at = skipSpace(front, at + 1)
  while (front[at] === QUOTE) {
    const key = endOfString(front, at)
    const isItems = front.toString('latin1', at, key) === '"items"'
    at = skipSpace(front, key)
    if (front[at] !== COLON) return undefined
    at = skipSpace(front, at + 1)
    if (isItems) {
      at = front[at] === OPEN_BRACKET ? skipSpace(front, at + 1) : at
      return front[at] === OPEN_BRACE ? at : undefined
    }
    at = skipSpace(front, endOfValue(front, at))
    if (front[at] !== COMMA) return undefined
    at = skipSpace(front, at + 1)
  }
  return undefined
}
