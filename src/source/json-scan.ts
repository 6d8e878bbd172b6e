export const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a]
export const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]
const BACKSLASH = 0x5c

/** What ends a number or a word. */
const ENDS: ReadonlySet<number | undefined> = new Set([COMMA, CLOSE_BRACE, CLOSE_BRACKET])

/*
 * Where things end in the bytes of a JSON text, by brackets and strings alone. All of these return an offset, which is behind
 * the last byte where the bytes end first.
 */

/** Offset of the first byte that is no white space. */
export function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  for (let c = bytes[at] ?? 0; c === 0x20 || (c >= 9 && c <= 13); c = bytes[at] ?? 0) at++
  return at
}

/** Offset behind the value that begins here. */
export function endOfValue(bytes: Buffer, from: number): number {
  const c = bytes[from]
  if (c === QUOTE) return endOfString(bytes, from)
  if (c === OPEN_BRACE || c === OPEN_BRACKET) return endOfNested(bytes, from)
  let at = from
  while (at < bytes.length && !ENDS.has(bytes[at])) at++
  return at < bytes.length ? at : bytes.length + 1
}

/** Offset behind the object or list whose bracket is here. */
export function endOfNested(bytes: Buffer, from: number): number {
  let depth = 0
  for (let at = from; at < bytes.length; at++) {
    const c = bytes[at]
    if (c === QUOTE) at = endOfString(bytes, at) - 1
    else if (c === OPEN_BRACE || c === OPEN_BRACKET) depth++
    else if ((c === CLOSE_BRACE || c === CLOSE_BRACKET) && --depth === 0) return at + 1
  }
  return bytes.length + 1
}

/** Offset behind the string whose quote is here. */
export function endOfString(bytes: Buffer, from: number): number {
  let at = from + 1
  for (let c = bytes[at]; at < bytes.length && c !== QUOTE; c = bytes[at]) at += c === BACKSLASH ? 2 : 1
  return at + 1
}
