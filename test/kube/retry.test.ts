import { describe, expect, it } from 'vitest'
import { type Failure, KubeError, type KubeErrorOptions } from '../../src/kube/errors.ts'
import { DEFAULT_RETRY, type RetryDeps, withRetry } from '../../src/kube/retry.ts'
import { retryAfter } from '../../src/kube/status.ts'

const asked = {
  cluster: 'hub',
  server: 'https://hub',
  verb: 'list',
  resource: 'secrets',
  namespace: '',
  name: '',
  path: '',
}

function failing(failure: Failure, options: KubeErrorOptions = { retryable: true }): KubeError {
  return new KubeError(failure, asked, 'no', options)
}

/** A clock that only counts what is waited, and a random source that always says 0.5. */
function deps(more: Partial<RetryDeps> = {}): RetryDeps & { readonly waits: number[] } {
  const waits: number[] = []
  let now = 0
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      waits.push(ms)
      now += ms
    },
  }
  return { policy: DEFAULT_RETRY, clock, random: () => 0.5, waits, ...more }
}

async function outcome(errors: readonly KubeError[], d: RetryDeps): Promise<string> {
  let tries = 0
  try {
    await withRetry(async () => {
      const error = errors[tries++]
      if (error !== undefined) throw error
    }, d)
    return `ok after ${tries}`
  } catch (error) {
    return `${error instanceof KubeError ? error.failure : error} after ${tries}`
  }
}

describe('withRetry', () => {
  it('waits half of 0.25, 0.5 and 1 s with this random source, and gives up after four tries', async () => {
    const d = deps()
    expect(await outcome(Array(9).fill(failing('server-error')), d)).toBe('server-error after 4')
    expect(d.waits).toEqual([125, 250, 500])
  })

  it('waits at least what the server asks for', async () => {
    const d = deps()
    const busy = failing('throttled', { retryable: true, retryAfterMs: 3000 })
    expect(await outcome([busy, busy], d)).toBe('ok after 3')
    expect(d.waits).toEqual([3125, 3250])
  })

  it('gives up where the server asks for too long a wait', async () => {
    const d = deps()
    expect(await outcome([failing('throttled', { retryable: true, retryAfterMs: 120_000 })], d)).toBe(
      'throttled after 1',
    )
    expect(d.waits).toEqual([])
  })

  it('never repeats what another try would not change', async () => {
    expect(await outcome([failing('forbidden', {})], deps())).toBe('forbidden after 1')
  })

  it('tries a silent server only twice', async () => {
    expect(await outcome(Array(9).fill(failing('timeout')), deps())).toBe('timeout after 2')
  })

  it('begins no try after the deadline', async () => {
    expect(await outcome(Array(9).fill(failing('server-error')), deps({ deadline: 300 }))).toBe('server-error after 2')
  })

  it('ends a wait that is aborted', async () => {
    const clock = { now: () => 0, sleep: () => Promise.reject(new Error('aborted')) }
    expect(await outcome([failing('throttled')], deps({ clock }))).toBe('aborted after 1')
  })
})

describe('retryAfter', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  it.each([
    ['7', 7000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Thu, 01 Jan 2026 00:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s', (header, expected) => {
    expect(retryAfter(header, now)).toBe(expected)
  })
})
