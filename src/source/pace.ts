import { setImmediate } from 'node:timers/promises'

const LONGEST_MS = 50

/** A pause for the event loop whenever the work has held it for a while, so that Ctrl-C and spinners live. */
export function pacer(signal: AbortSignal | undefined): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < LONGEST_MS) return undefined
    return setImmediate().then(() => {
      signal?.throwIfAborted()
      since = performance.now()
    })
  }
}
