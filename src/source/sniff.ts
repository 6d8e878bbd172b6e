/** What some bytes are, by their first ones; a file's name may lie. */
type Format = 'gzip' | 'zip' | 'tar' | 'text' | { readonly unsupported: string }

/** Bytes that `sniff` wants to see: one block of a tar archive. */
export const SNIFF_BYTES = 512

const MAGIC: readonly (readonly [number[], Format])[] = [
  [[0x1f, 0x8b], 'gzip'],
  [[0x50, 0x4b, 0x03, 0x04], 'zip'],
  [[0x50, 0x4b, 0x05, 0x06], 'zip'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], { unsupported: 'xz' }],
  [[0x28, 0xb5, 0x2f, 0xfd], { unsupported: 'zstd' }],
  [[0x42, 0x5a, 0x68], { unsupported: 'bzip2' }],
  [[0x37, 0x7a, 0xbc, 0xaf], { unsupported: '7z' }],
  [[0x04, 0x22, 0x4d, 0x18], { unsupported: 'lz4' }],
]

/** The format of a file by its first SNIFF_BYTES; what is nothing else is text. */
export function sniff(head: Buffer): Format {
  for (const [magic, format] of MAGIC) if (magic.every((byte, i) => head[i] === byte)) return format
  return isTarHeader(head) ? 'tar' : 'text'
}

/** A POSIX or GNU header says `ustar`; an older one is known by its checksum: the sum of its bytes, with blanks for the sum. */
function isTarHeader(head: Buffer): boolean {
  if (head.length < SNIFF_BYTES) return false
  if (head.toString('latin1', 257, 262) === 'ustar') return true
  const stored = Number.parseInt(
    head
      .toString('latin1', 148, 156)
      .replace(/[\0 ]+$/, '')
      .trim(),
    8,
  )
  if (!(stored > 0)) return false
  let sum = 8 * 0x20
  for (let i = 0; i < SNIFF_BYTES; i++) if (i < 148 || i >= 156) sum += head[i] ?? 0
  return sum === stored
}
