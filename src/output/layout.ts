import stringWidth from 'string-width'
import { oneLine } from './sanitize.ts'

/** Characters that take one column each. Measuring all others costs far more, and names of objects are made of these. */
const PLAIN = /^[\x20-\x7e\u2500-\u257f]*$/

/** Columns that a text takes on a terminal; escapes count nothing, wide characters two. */
export function width(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text)
}

/** A text filled up to a width in columns; a wider one stays whole. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)))
}

/** Cuts out the middle, where names and messages differ least, so that the text fits. */
export function shorten(text: string, columns: number, ellipsis: string): string {
  if (width(text) <= columns) return text
  const room = columns - ellipsis.length
  if (room < 2) return [...text].slice(0, Math.max(0, columns)).join('')
  const head = take([...text], Math.ceil(room / 2))
  const tail = take([...text].reverse(), Math.floor(room / 2)).reverse()
  return head.join('') + ellipsis + tail.join('')
}

/** A head that stays whole and a text behind it that is shortened to what is left of the line, but never below 20 columns. */
export function fitBehind(head: string, text: string, columns: number, ellipsis: string): string {
  return head + shorten(text, Math.max(20, columns - width(head)), ellipsis)
}

function take(characters: readonly string[], columns: number): string[] {
  const taken: string[] = []
  let used = 0
  for (const character of characters) {
    used += width(character)
    if (used > columns) break
    taken.push(character)
  }
  return taken
}

/**
 * Wraps one paragraph at blanks. A word longer than a line stays whole: a name must be there to copy. `first` and `rest`
 * are put before the first and the following lines and count towards the width.
 */
export function wrap(text: string, columns: number, first = '', rest = first): string[] {
  const words = oneLine(text).split(' ')
  const lines: string[] = []
  let line = first + (words[0] ?? '')
  for (const word of words.slice(1)) {
    if (width(line) + 1 + width(word) <= columns) line += ` ${word}`
    else {
      lines.push(line)
      line = rest + word
    }
  }
  lines.push(line)
  return lines
}

/** `1 check`, `2 checks`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`
}

/** The first names and how many more there are: `bm, sno and 4998 more`. */
export function some(names: readonly string[], total: number, most: number): string {
  const shown = names.slice(0, most)
  const more = total - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
