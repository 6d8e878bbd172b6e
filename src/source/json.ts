import type { Parsed } from './documents.ts'

/**
 * A JSON text: one value, or several in a row (JSON lines, or the output of several commands in one file).
 *
 * @returns `broken` when nothing of it is JSON.
 */
export function parseJson(text: string): { documents: Iterable<Parsed> } | { broken: Parsed & { error: string } } {
  try {
    return { documents: [{ value: JSON.parse(text) }] }
  } catch (error) {
    const values = splitValues(text)
    const first = values.next()
    if (first.done || first.value.end >= text.trimEnd().length) return { broken: whyBroken(text, error) }
    // Documents separated as in YAML are none of ours.
    if (/^---/m.test(text)) return { broken: { error: 'not valid JSON' } }
    return { documents: parseEach(text, [first.value], values) }
  }
}

interface Span {
  readonly start: number
  readonly end: number
}

function* parseEach(text: string, first: readonly Span[], rest: Iterable<Span>): Generator<Parsed> {
  const line = lineCounter(text)
  for (const spans of [first, rest]) {
    for (const { start, end } of spans) {
      try {
        yield { value: JSON.parse(text.slice(start, end)) }
      } catch {
        yield { error: 'not valid JSON', line: line(start) }
      }
    }
  }
}

/** Where each top-level value begins and ends, by brackets and strings alone. What is no object or array goes by lines. */
function* splitValues(text: string): Generator<Span> {
  const space = /\s*/y
  let at = 0
  for (;;) {
    space.lastIndex = at
    space.test(text)
    at = space.lastIndex
    if (at >= text.length) return
    const end = text[at] === '{' || text[at] === '[' ? endOfValue(text, at) : endOfLine(text, at)
    yield { start: at, end }
    at = end
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function endOfValue(text: string, from: number): number {
  const mark = /["{}[\]]/g
  mark.lastIndex = from
  let depth = 0
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const c = found[0]
    if (c === '"') {
      mark.lastIndex = endOfString(text, found.index)
    } else if (c === '{' || c === '[') depth++
    else if (--depth === 0) return mark.lastIndex
  }
  return text.length
}

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}

/** Never V8's own message: it may quote the text around the fault. */
function whyBroken(text: string, error: unknown): { error: string; line?: number } {
  const message = error instanceof Error ? error.message : ''
  const position = /at position (\d+)/.exec(message)?.[1]
  const line = lineCounter(text)
  if (/end of JSON input|Unterminated string/.test(message) || Number(position) >= text.trimEnd().length)
    return { error: 'not valid JSON: it ends in the middle of a value', line: line(text.trimEnd().length) }
  return position === undefined
    ? { error: 'not valid JSON' }
    : { error: 'not valid JSON', line: line(Number(position)) }
}

/** Line of an offset, 1-based; offsets must not go back. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1
  let at = 0
  return offset => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      line++
      at = next + 1
    }
    return line
  }
}
