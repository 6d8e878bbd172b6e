import { setFlagsFromString } from 'node:v8'

/** A fleet of more objects is one whose records are most of what is in memory. */
export const MANY_OBJECTS = 80_000

/**
 * Has V8 look for garbage when the heap has grown by a sixth, and not by the half or more that it allows itself: the records
 * of a large fleet stay until the end, and what waits comes on top of them. For the last part of the reading: each look takes
 * time, and sooner there would be many of them over a heap that is small anyway.
 */
export function growSlowly(): void {
  setFlagsFromString('--heap-growing-percent=15')
}
