/** What a terminal acts upon: control characters, line separators, marks that hide or reorder text. */
const UNSAFE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

const LONGEST = 300

/** A name from the outside as it may stand in a message: on one line, not too long, unsafe characters as `\x1b`. */
export function printable(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
  return short.replaceAll(UNSAFE, c => {
    const code = c.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`
  })
}
