import { setTimeout as sleepFor } from 'node:timers/promises'
import { KubeError } from './errors.ts'

/** Time and chance, given from outside so that tests need neither wait nor luck. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Waits; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    await sleepFor(ms, undefined, signal === undefined ? {} : { signal })
  },
}

export interface RetryPolicy {
  /** Tries in all, the first one included. */
  readonly tries: number
  /** Upper bound of the first wait in milliseconds; doubled for each further one. */
  readonly baseMs: number
  readonly capMs: number
  /** A server that asks for a longer wait than this is not obeyed but given up. */
  readonly longestRetryAfterMs: number
  /** Tries in all where the server does not answer at all: each costs a whole timeout. */
  readonly triesOnTimeout: number
}

export const DEFAULT_RETRY: RetryPolicy = {
  tries: 4,
  baseMs: 250,
  capMs: 8_000,
  longestRetryAfterMs: 30_000,
  triesOnTimeout: 2,
}

export interface RetryDeps {
  readonly policy: RetryPolicy
  readonly clock: Clock
  /** Uniform in [0, 1). */
  readonly random: () => number
  readonly signal?: AbortSignal | undefined
  /** Epoch milliseconds after which no further try is begun. */
  readonly deadline?: number | undefined
  readonly onRetry?: ((error: KubeError, waitMs: number, next: number) => void) | undefined
}

/**
 * Runs a read until it succeeds, fails in a way that another try would not change, or the tries are used up. Waits what
 * the server asks for in Retry-After, else full jitter: a random part of an interval that doubles each time.
 *
 * Only for reads, and for writes whose repetition changes nothing.
 */
export async function withRetry<T>(attempt: () => Promise<T>, deps: RetryDeps): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof KubeError) || !error.retryable || tried >= mostTries(error, deps.policy)) throw error
      const wait = waitFor(error, tried, deps)
      if (wait === undefined) throw error
      if (deps.deadline !== undefined && deps.clock.now() + wait >= deps.deadline) throw error
      deps.onRetry?.(error, wait, tried + 1)
      try {
        await deps.clock.sleep(wait, deps.signal)
      } catch {
        throw new KubeError('aborted', error.asked, 'stopped', { cause: error })
      }
    }
  }
}

function mostTries({ failure }: KubeError, policy: RetryPolicy): number {
  const isSilent = failure === 'timeout' || failure === 'unreachable'
  return isSilent ? Math.min(policy.tries, policy.triesOnTimeout) : policy.tries
}

function waitFor(error: KubeError, tried: number, { policy, random }: RetryDeps): number | undefined {
  const jitter = random() * Math.min(policy.capMs, policy.baseMs * 2 ** (tried - 1))
  if (error.retryAfterMs === undefined) return jitter
  if (error.retryAfterMs > policy.longestRetryAfterMs) return undefined
  // Clients that were turned away together must not come back together.
  return error.retryAfterMs + jitter
}
