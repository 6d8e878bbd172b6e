import type { KindName } from '../fleet/kinds.ts'
import type { Coverage } from './source.ts'

interface Losses {
  readonly first: string
  count: number
}

/** Gathers what became known about the kinds of one cluster while its files were read. */
export class CoverageBook {
  readonly #seen = new Set<KindName>()
  readonly #lost = new Map<KindName | undefined, Losses>()
  readonly #within = new Map<KindName, ReadonlySet<string>>()
  readonly #unrecorded = new Map<KindName, string>()

  /** A list or an object of that kind was read. */
  seen(kind: KindName): void {
    this.#seen.add(kind)
  }

  /** Objects of that kind could not be read; `undefined`: of kinds that nobody knows. */
  lost(kind: KindName | undefined, reason: string): void {
    const before = this.#lost.get(kind)
    if (before === undefined) this.#lost.set(kind, { first: reason, count: 1 })
    else before.count++
  }

  /** Only these namespaces were looked into. */
  within(kind: KindName, namespaces: readonly string[]): void {
    this.#within.set(kind, new Set(namespaces))
  }

  /** Whoever recorded the cluster did not read that kind. */
  unrecorded(kind: KindName, reason: string): void {
    this.#unrecorded.set(kind, reason)
  }

  /** Was nothing at all seen or missed? */
  get empty(): boolean {
    return this.#seen.size === 0 && this.#lost.size === 0
  }

  has(kind: KindName): boolean {
    return this.#seen.has(kind)
  }

  /** `absent`: what it means here when a kind was not seen and nothing of it was lost. */
  of(kind: KindName, absent: Coverage): Coverage {
    const own = this.#lost.get(kind)
    const any = this.#lost.get(undefined)
    const reason = why(own, any)
    const within = this.#within.get(kind)
    const scope = within === undefined ? {} : { within }
    if (this.#seen.has(kind))
      return reason === undefined
        ? { state: 'read', complete: true, ...scope }
        : { state: 'read', complete: false, reason, ...scope }
    const unrecorded = this.#unrecorded.get(kind)
    if (unrecorded !== undefined && own === undefined) return { state: 'not-recorded', reason: unrecorded }
    if (own !== undefined && reason !== undefined) return { state: 'refused', reason }
    if (absent.state === 'not-recorded' && reason !== undefined)
      return { state: 'not-recorded', reason: `${absent.reason}; ${reason}` }
    return absent
  }
}

function why(own: Losses | undefined, any: Losses | undefined): string | undefined {
  const first = own?.first ?? any?.first
  const more = (own?.count ?? 0) + (any?.count ?? 0) - 1
  return first === undefined || more < 1 ? first : `${first} (and ${more} more)`
}
