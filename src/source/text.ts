import { isUtf8 } from 'node:buffer'
import { reasonOf } from './system-error.ts'
import type { FileContent } from './tree.ts'

interface DecodedText {
  readonly text: string
  /** What could not be decoded and was replaced. */
  readonly problem?: string
}

/** Text of a file's content, or why there is none. Takes the content out: a large file need not be in memory twice. */
export function takeText(content: FileContent): DecodedText | { readonly failure: string } {
  if (content.failure !== undefined) return { failure: content.failure }
  if (content.text !== undefined) {
    const { text } = content
    content.text = undefined
    return { text }
  }
  const { bytes, file } = content
  content.bytes = undefined
  content.file = undefined
  try {
    return decodeText(bytes ?? file?.part(0, file.size) ?? Buffer.alloc(0)) ?? { failure: 'it is no text' }
  } catch (error) {
    return { failure: reasonOf(error) }
  } finally {
    file?.close()
  }
}

/**
 * Text of a file. A byte order mark decides: UTF-8, or UTF-16 in either order, which PowerShell's `>` writes. Without a mark
 * it is UTF-8, unless every second byte at the start is zero.
 *
 * @returns undefined for binary data.
 */
function decodeText(bytes: Buffer): DecodedText | undefined {
  const [a, b, c] = bytes
  if (a === 0xff && b === 0xfe) return decode(bytes, 'utf-16le')
  if (a === 0xfe && b === 0xff) return decode(bytes, 'utf-16be')
  if (a !== 0 && b === 0 && c !== 0 && bytes.length > 3) return decode(bytes, 'utf-16le')
  if (a === 0 && b !== 0 && c === 0) return decode(bytes, 'utf-16be')
  if (bytes.includes(0)) return undefined
  const start = a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0
  const text = bytes.toString('utf8', start)
  return isUtf8(bytes) ? { text } : { text, problem: 'some characters are not valid UTF-8 and were replaced' }
}

function decode(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): DecodedText | undefined {
  const text = new TextDecoder(encoding).decode(bytes)
  if (text.includes('\0')) return undefined
  return text.includes('\ufffd')
    ? { text, problem: 'some characters are not valid UTF-16 and were replaced' }
    : { text }
}
