import { subjectKey } from '../fleet/subject.ts'
import type { Need } from './goals.ts'
import type { Member } from './member.ts'

/** How it stands with all members together at one look. */
export interface Verdict {
  /** So many members must have reached the goal. */
  readonly required: number
  readonly met: number
  readonly total: number
  readonly isMet: boolean
  /** So many have failed for good that the required number cannot be reached without somebody's doing. */
  readonly isFailed: boolean
  /** Members that have not reached it, failed ones first. */
  readonly blockers: readonly Member[]
  /** Members that had reached it, have left it, and count as met for a little longer. */
  readonly dipped: number
}

/** How many of so many members a need asks for; at least one, and a share is never rounded down. */
export function requiredOf(need: Need, total: number): number {
  switch (need.type) {
    case 'all':
      return Math.max(1, total)
    case 'count':
      return need.value
    case 'percent':
      // 95% of 20 is 19 and not 20, as floating point would have it.
      return Math.max(1, Math.ceil(Number(((total * need.value) / 100).toFixed(6))))
  }
}

const RANK: Readonly<Record<Member['state'], number>> = { failed: 0, unknown: 1, waiting: 2, met: 3 }

/**
 * Counts members from look to look. With a grace of more than 0, a member that has reached the goal and then waits or fails
 * goes on counting as met for that time, and a failed one does not count as failed before it has been so for that time. What
 * becomes unknown is never counted as met.
 */
export class Tally {
  readonly #need: Need
  readonly #graceMs: number
  readonly #metAt = new Map<string, number>()
  readonly #failedSince = new Map<string, number>()

  constructor(need: Need, graceMs: number) {
    this.#need = need
    this.#graceMs = graceMs
  }

  /** @param now when the members were looked at, epoch milliseconds */
  look(members: readonly Member[], now: number): Verdict {
    let met = 0
    let failed = 0
    let dipped = 0
    for (const m of members) {
      const key = subjectKey(m.subject)
      if (m.state === 'met') this.#metAt.set(key, now)
      if (m.state !== 'failed') this.#failedSince.delete(key)
      else if (!this.#failedSince.has(key)) this.#failedSince.set(key, now)
      const isDip = m.state !== 'met' && m.state !== 'unknown' && this.#within(this.#metAt.get(key), now)
      if (m.state === 'met' || isDip) met++
      if (isDip) dipped++
      if (m.state === 'failed' && !this.#within(this.#failedSince.get(key), now)) failed++
    }
    const total = members.length
    const required = requiredOf(this.#need, total)
    const blockers = members
      .filter(m => m.state !== 'met')
      .sort((a, b) => RANK[a.state] - RANK[b.state] || (subjectKey(a.subject) < subjectKey(b.subject) ? -1 : 1))
    // A count that is higher than what there is may still be reached by what is to come.
    const isFailed = failed > 0 && (this.#need.type === 'count' ? failed === total : total - failed < required)
    return { required, met, total, isMet: total > 0 && met >= required, isFailed, blockers, dipped }
  }

  #within(since: number | undefined, now: number): boolean {
    return since !== undefined && now - since < this.#graceMs
  }
}
