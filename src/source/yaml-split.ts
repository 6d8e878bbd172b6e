/*
 * Where a YAML text comes apart, by its lines alone: nothing here understands YAML, it only knows what cannot stand at the
 * left margin.
 */

/** A part of the text that can be parsed by itself. `line`: of its first line in the file, 1-based. */
export interface Chunk {
  readonly text: string
  readonly line: number
}

/** Characters of a list that are parsed at once when it does not go in one piece. */
const PIECE = 256 * 1024

const SPACE = 0x20

/** `---` at the margin separates documents wherever it stands, even in a block scalar (YAML 1.2, 9.1.2 and 9.1.4). */
export function* documentsOf(text: string): Generator<Chunk> {
  // Directives belong to the document after them, so such a text stays whole.
  if (text.startsWith('%') || text.includes('\n%')) {
    yield { text, line: 1 }
    return
  }
  let line = 1
  let start = 0
  for (let at = text.indexOf('\n---'); at >= 0; at = text.indexOf('\n---', at + 1)) {
    if (/\S/.test(text.charAt(at + 4))) continue
    const part = text.slice(start, at + 1)
    yield { text: part, line }
    line += countLines(part)
    start = at + 1
  }
  if (start < text.length) yield { text: text.slice(start), line }
}

/** Some items of a list; `starts` are their offsets in the text. */
export interface Piece extends Chunk {
  readonly starts: readonly number[]
}

export interface List {
  /** Everything but the items. */
  readonly envelope: Chunk
  readonly items: Iterable<Piece>
  readonly whole: Chunk
}

/**
 * The parts of a document that is a list in the usual layout, or undefined. One with aliases stays whole, as they may lead
 * from item to item, up to a length of `longest`.
 */
export function listOf(document: Chunk, longest: number): List | undefined {
  const { text } = document
  const head = keyAt(text, 0)
  if (head < 0 || (text.length <= longest && mayHaveAliases(text))) return undefined
  const first = nextLine(text, head)
  if (!/^items:[ \t]*(#.*)?\r?\n?$/.test(text.slice(head, first))) return undefined
  let indent: number | undefined
  let end = text.length
  const starts: number[] = []
  for (let at = first; at < text.length; at = nextLine(text, at)) {
    let mark = at
    while (text.charCodeAt(mark) === SPACE) mark++
    if (indent !== undefined && mark - at > indent) continue
    const char = text.charAt(mark)
    // Blank lines and comments.
    if (char === '' || '\t\r\n#'.includes(char)) continue
    const dash = char === '-' && /^\s?$/.test(text.charAt(mark + 1))
    if (indent === undefined && !dash) return undefined
    indent ??= mark - at
    if (mark - at === indent && dash) starts.push(at)
    else {
      end = at
      break
    }
  }
  if (indent === undefined || keyAt(text, end) >= 0) return undefined
  // Blank lines in the place of the items keep the line numbers.
  const envelope = `${text.slice(0, head)}${'\n'.repeat(countLines(text.slice(head, end)))}${text.slice(end)}`
  return {
    envelope: { text: envelope, line: document.line },
    items: pieces(text, starts, end, document.line + countLines(text.slice(0, starts[0]))),
    whole: document,
  }
}

/** Start of the line that begins with the key `items:`, from an offset that is the start of a line. */
function keyAt(text: string, from: number): number {
  if (text.startsWith('items:', from)) return from
  const at = text.indexOf('\nitems:', from)
  return at < 0 ? -1 : at + 1
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

/** Items in pieces of some size: a parser call for each item would take as long as the parsing. */
function* pieces(text: string, starts: readonly number[], end: number, firstLine: number): Generator<Piece> {
  let line = firstLine
  for (let first = 0; first < starts.length; ) {
    let last = first + 1
    const from = starts[first] ?? end
    while (last < starts.length && (starts[last] ?? end) - from < PIECE) last++
    const part = text.slice(from, starts[last] ?? end)
    yield { text: part, line, starts: starts.slice(first, last).map(start => start - from) }
    line += countLines(part)
    first = last
  }
}

/** An anchor in one item may be meant by an alias in another. A string with such characters only costs the splitting. */
function mayHaveAliases(text: string): boolean {
  return /[\s[,{]&[^\s&]/.test(text) && /[\s[,{]\*[^\s*'"]/.test(text)
}

/** Line ends in a text. */
export function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
