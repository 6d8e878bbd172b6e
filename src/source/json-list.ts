import { isUtf8 } from 'node:buffer'
import { type Parsed, parseDocuments } from './documents.ts'
import { type List, listIn, parseObject } from './json-list-frame.ts'
import { CLOSE_BRACKET, COMMA, endOfValue } from './json-scan.ts'
import { type Bytes, bytesOf, Place } from './large-file.ts'
import type { FileContent } from './tree.ts'
import { parseYaml } from './yaml.ts'

/** JSON up to this many bytes is parsed as a whole. */
const WHOLE_UP_TO = 1024 * 1024

const ITEMS_AT_ONCE = 16

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
  try {
    yield { value: list.head }
    let items: unknown[] = []
    for (const piece of piecesOf(bytes, list)) {
      if (!('item' in piece)) {
        yield piece
        continue
      }
      items.push(piece.item)
      if (items.length < ITEMS_AT_ONCE) continue
      yield { value: { ...list.type, items } }
      items = []
    }
    if (items.length > 0) yield { value: { ...list.type, items } }
  } finally {
    bytes.close()
  }
}

type Piece = Parsed | { readonly item: unknown; readonly error?: never }

/**
 * Items are cut at the seam that the first two have between them. What parses is one object, and so the cut was right. Where it
 * does not, for instance because the seam occurs inside an item, brackets are counted until items meet at the seam again.
 */
function* piecesOf(bytes: Bytes, { before, start, end, seam, next }: List): Generator<Piece> {
  const place = new Place(bytes, start, end)
  let replaced = false
  let bySeam = true
  while (!place.done) {
    const { part, at } = place
    const found: number = bySeam ? part.indexOf(seam, at) : -1
    let to: number = found >= 0 ? found + 1 : bySeam && place.whole ? part.length : at
    let text = part.toString('utf8', at, to)
    let item = parseObject(text)
    if (item === undefined) {
      to = endOfValue(part, at)
      if (to > part.length && !place.whole) {
        place.more()
        continue
      }
      to = Math.min(to, part.length)
      text = part.toString('utf8', at, to)
      item = parseObject(text) ?? lenient(text)
      bySeam = part.subarray(to - 1, to - 1 + seam.length).equals(seam)
    }
    if (!replaced && text.includes('\ufffd') && !isUtf8(part.subarray(at, to))) {
      replaced = true
      yield { error: 'some characters are not valid UTF-8 and were replaced' }
    }
    if (item !== undefined) yield { item }
    else yield { error: text[0] === '{' ? NOT_VALID : 'an item of the list is no object', line: place.line() }
    if (bySeam) {
      place.at = to < part.length ? to - 1 + next : to
      continue
    }
    place.at = to
    place.skipSpace()
    if (place.done) return
    const separator = place.part[place.at]
    if (separator === CLOSE_BRACKET) {
      // The list ends here, and others follow in the same file.
      yield* parseDocuments(before + bytes.part(place.offset, bytes.size).toString('utf8'))
      return
    }
    if (separator !== COMMA) {
      yield { error: NOT_VALID, line: place.line() }
      return
    }
    place.at++
    place.skipSpace()
  }
}

const NOT_VALID = 'not valid JSON'

/** YAML allows more than JSON, a trailing comma for instance. */
function lenient(text: string): unknown {
  if (text[0] !== '{' || text.length > WHOLE_UP_TO) return undefined
  const [document, ...more] = parseYaml(text)
  return document?.error === undefined && more.length === 0 ? document?.value : undefined
}
