import type { Evidence } from '../checks/check.ts'
import { blindTo } from '../fleet/blind.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { type Subject, subjectKey } from '../fleet/subject.ts'
import type { Edge, HopState } from './trace.ts'

/** A hop before findings are laid over it. */
export interface DraftHop {
  readonly subject: Subject
  readonly parent: number | null
  readonly edge: Edge
  readonly state: HopState
  /** Epoch milliseconds. */
  readonly since: number | undefined
  readonly source: string
  readonly message: string
  readonly evidence: readonly Evidence[]
}

interface Part extends Partial<Pick<DraftHop, 'state' | 'source' | 'evidence'>> {
  readonly message: string
  readonly since?: number | undefined
}

/** Gathers the hops of one trace in the order in which they are shown. */
export class HopBuilder {
  readonly hops: DraftHop[] = []
  readonly #fleet: Fleet
  readonly #index = new Map<string, number>()

  constructor(fleet: Fleet) {
    this.#fleet = fleet
  }

  /** Index of a hop that is there already. */
  indexOf(subject: Subject): number | undefined {
    return this.#index.get(subjectKey(subject))
  }

  /** Adds a hop once; answers its index. A kind that could not be read makes it unknown, whatever is said of it. */
  add(subject: Subject, parent: number | null, edge: Edge, part: Part): number {
    const key = subjectKey(subject)
    const known = this.#index.get(key)
    if (known !== undefined) return known
    const blind = part.state === undefined || part.state === 'unknown' ? blindTo(this.#fleet, subject) : undefined
    this.hops.push({
      subject,
      parent,
      edge,
      state: blind !== undefined && part.state === undefined ? 'unknown' : (part.state ?? 'ok'),
      since: part.since,
      source: part.source ?? '',
      message: blind !== undefined && part.state === undefined ? blind : part.message,
      evidence: part.evidence ?? [],
    })
    this.#index.set(key, this.hops.length - 1)
    return this.hops.length - 1
  }
}
