/** A body grows in steps of this at least: most answers are smaller. */
const SMALLEST = 64 * 1024
/** So many wait for the next body; a list needs two, and several lists run at once for a while only. */
const MOST_IDLE = 3

/**
 * Memory of the bodies of one connection, used again for the next ones. V8 sees it from outside only and lets tens of
 * megabytes of it lie before it looks, since the pages of a list are old enough by then to be taken for lasting.
 */
export class BodyBuffers {
  #idle: Buffer[] = []

  /** Takes up a body piece by piece. */
  open(): OpenBody {
    return new OpenBody(this.#idle.pop() ?? Buffer.allocUnsafeSlow(SMALLEST))
  }

  /** The body was read, and nobody looks at it any more. */
  release(body: Buffer): void {
    const whole = Buffer.from(body.buffer)
    if (this.#idle.length < MOST_IDLE) this.#idle.push(whole)
    // A larger one saves more.
    else this.#idle = [...this.#idle, whole].sort((a, b) => b.length - a.length).slice(0, MOST_IDLE)
  }

  clear(): void {
    this.#idle = []
  }
}

class OpenBody {
  #buffer: Buffer
  #size = 0

  constructor(buffer: Buffer) {
    this.#buffer = buffer
  }

  get size(): number {
    return this.#size
  }

  add(piece: Buffer): void {
    const needed = this.#size + piece.length
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2))
      this.#buffer.copy(larger, 0, 0, this.#size)
      this.#buffer = larger
    }
    piece.copy(this.#buffer, this.#size)
    this.#size = needed
  }

  /** All that came. */
  end(): Buffer {
    return this.#buffer.subarray(0, this.#size)
  }
}
