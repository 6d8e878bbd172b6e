import type { Clock } from './retry.ts'

/** How fast requests may follow each other on one API server. */
export interface Rate {
  /** Requests per second in the long run. */
  readonly qps: number
  /** Requests that may go at once after a pause. */
  readonly burst: number
}

/** Lets `burst` requests through at once and the rest at `qps`, in the order in which they came. */
export class TokenBucket {
  readonly #rate: Rate
  readonly #clock: Clock
  /** Below zero: so many are waiting. */
  #tokens: number
  #filledAt: number

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate
    this.#clock = clock
    this.#tokens = rate.burst
    this.#filledAt = clock.now()
  }

  /** Waits for its turn. @throws the signal's reason when it is aborted meanwhile */
  async take(signal?: AbortSignal): Promise<void> {
    const { qps, burst } = this.#rate
    const now = this.#clock.now()
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) / 1000) * qps)
    this.#filledAt = now
    this.#tokens -= 1
    if (this.#tokens < 0) await this.#clock.sleep((-this.#tokens / qps) * 1000, signal)
  }
}
