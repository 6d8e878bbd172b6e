import { createGunzip } from 'node:zlib'

/**
 * Unpacks gzip and hands over every byte that could be unpacked before it reports a failure, so that a file which is cut
 * off gives all of its beginning, the same on each run (a piped stream may drop what is still in its buffers).
 *
 * @param take gets each piece at once; what it throws ends the work.
 * @param between is awaited after each packed piece, for a slower reader to catch up.
 * @throws what `take` threw, or zlib's error (code `Z_BUF_ERROR`: the input ends early).
 */
export async function gunzip(
  packed: AsyncIterable<Buffer>,
  take: (piece: Buffer) => void,
  between: (packedBytes: number) => Promise<void> | undefined,
): Promise<void> {
  const unzip = createGunzip()
  let failure: { error: unknown } | undefined
  unzip.on('error', error => {
    failure ??= { error }
  })
  unzip.on('data', (piece: Buffer) => {
    if (failure !== undefined) return
    try {
      take(piece)
    } catch (error) {
      failure = { error }
      unzip.destroy()
    }
  })
  const gone = new Promise<void>(done => {
    unzip.once('close', done)
    unzip.once('end', done)
  })
  try {
    for await (const piece of packed) {
      await between(piece.length)
      await Promise.race([gone, new Promise<void>(done => unzip.write(piece, () => done()))])
      if (failure !== undefined) throw failure.error
    }
    unzip.end()
    await gone
    if (failure !== undefined) throw failure.error
  } finally {
    unzip.destroy()
  }
}
