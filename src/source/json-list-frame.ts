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
import { type Bytes, PART } from './large-file.ts'

/** The longest beginning that two items are taken to have in common. */
const LONGEST_PREFIX = 32

/** A list in a file: `items` lie between `start` and `end`. */
export interface List {
  /** What stands beside the items, with an empty list of them. */
  readonly head: object
  /** The text before the first item. */
  readonly before: string
  /** What an item is that does not say so itself, as in the answers of the API. */
  readonly type: { readonly apiVersion?: unknown; readonly kind?: unknown }
  /** Begin of the first item. */
  readonly start: number
  /** Behind the last item. */
  readonly end: number
  /** How an item ends and the next one begins, as a rule. */
  readonly seam: Buffer
  /** Where in the seam the next item begins. */
  readonly next: number
}

/** A JSON object; undefined for any other text. */
export function parseObject(text: string): unknown {
  // What is no object is none of ours, though it may be JSON.
  if (text[0] !== '{') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Finds the items, by the beginning of a file and its end; undefined where it is no list, or is not whole. */
export function listIn(bytes: Bytes): List | undefined {
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
  const firstItem = front.toString('utf8', start, first)
  const tail = Math.max(0, bytes.size - PART)
  const back = bytes.part(tail, bytes.size)
  const last = back.lastIndexOf(seam)
  const end = last < 0 ? back.length + 1 : endOfNested(back, last + next)
  if (back[skipSpace(back, end)] !== CLOSE_BRACKET) return undefined
  const head = parseObject(before + back.toString('utf8', end))
  const type = parseObject(`${before}]}`)
  if (!isObject(head) || !isObject(type)) return undefined
  // A kind that stands behind the items may be that of another list in the file.
  const own = parseObject(firstItem)
  if (!('kind' in type) && !(isObject(own) && 'kind' in own)) return undefined
  const { apiVersion, kind }: List['type'] = type
  return {
    head,
    before,
    type: { ...(apiVersion === undefined ? {} : { apiVersion }), ...(kind === undefined ? {} : { kind }) },
    start,
    end: tail + end,
    seam,
    next,
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
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
