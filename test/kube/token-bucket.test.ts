import { expect, it } from 'vitest'
import type { Clock } from '../../src/kube/retry.ts'
import { TokenBucket } from '../../src/kube/token-bucket.ts'

/** A clock that a test moves; sleeping notes how long. */
function clock(): Clock & { at: number; readonly slept: number[] } {
  return {
    at: 0,
    slept: [],
    now() {
      return this.at
    },
    sleep(ms) {
      this.slept.push(Math.round(ms))
      return Promise.resolve()
    },
  }
}

it('lets a burst through and then so many a second', async () => {
  const time = clock()
  const bucket = new TokenBucket({ qps: 10, burst: 3 }, time)
  for (let i = 0; i < 6; i++) await bucket.take()
  expect(time.slept).toEqual([100, 200, 300])
})

it('fills up again, to no more than a burst', async () => {
  const time = clock()
  const bucket = new TokenBucket({ qps: 2, burst: 2 }, time)
  for (let i = 0; i < 2; i++) await bucket.take()
  time.at = 60_000
  for (let i = 0; i < 3; i++) await bucket.take()
  expect(time.slept).toEqual([500])
})

it('stops waiting when it is aborted', async () => {
  const { systemClock } = await import('../../src/kube/retry.ts')
  const bucket = new TokenBucket({ qps: 0.01, burst: 1 }, systemClock)
  await bucket.take()
  await expect(bucket.take(AbortSignal.timeout(5))).rejects.toThrow()
})
