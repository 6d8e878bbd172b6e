import { setFlagsFromString } from 'node:v8'

/** A fleet of more objects is one whose records are most of what is in memory. */
export const MANY_OBJECTS = 30_000

/**
 * Has V8 look for garbage when the heap has grown by a sixth, and not by the half or more that it allows itself: the records
 * of a large fleet stay until the end, so that there is little to win by waiting, and what waits comes on top of them.
 */
export function growSlowly(): void {
  setFlagsFromString('--heap-growing-percent=15')
}
