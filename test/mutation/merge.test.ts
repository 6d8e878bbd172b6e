import { describe, expect, test } from 'vitest'
import { judged, type Pair, pairs } from './pairs.ts'

/** Every fleet with the three that follow it in its family; `node scripts/merge-fleets.mjs` does all pairs. */
function sample(): Pair[] {
  const seen = new Map<string, number>()
  return pairs().filter(([first]) => {
    const n = (seen.get(first) ?? 0) + 1
    seen.set(first, n)
    return n <= 3
  })
}

describe('two faults in one fleet', () => {
  test.each(sample())('%s and %s: both roots, and no other', async (...pair) => {
    expect((await judged(pair)) ?? []).toEqual([])
  })
})
