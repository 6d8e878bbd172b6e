import { setFlagsFromString } from 'node:v8'

/** A fleet of more objects is one whose records are most of what is in memory. */
const MANY_OBJECTS = 30_000

/**
 * Counts objects that were read and, with many of them, has V8 look for garbage when the heap has grown by a sixth, and not
 * by the half or more that it allows itself: the records of a large fleet stay until the end, and what waits comes on top of
 * them. That takes a tenth more time of the processor, which a reader that waits for an API server has.
 */
export function heapWatch(): () => void {
  let objects = 0
  return () => {
    if (++objects === MANY_OBJECTS) setFlagsFromString('--heap-growing-percent=15')
  }
}
