import type { Coverage } from '../source/source.ts'
import type { KubeError } from './errors.ts'

/** What reading one kind came to: parts that were read, and parts that were not. */
export interface Outcome {
  reads: number
  objects: number
  readonly failures: KubeError[]
  readonly notes: string[]
  isAbsent: boolean
  /** Set where only some namespaces were looked into. */
  within: Set<string> | undefined
  /** Set where only some names were asked for. */
  names: ReadonlySet<string> | undefined
  /** Why no more was asked for. */
  narrow: string | undefined
}

export function newOutcome(): Outcome {
  return {
    reads: 0,
    objects: 0,
    failures: [],
    notes: [],
    isAbsent: false,
    within: undefined,
    names: undefined,
    narrow: undefined,
  }
}

/** What a check may conclude from it. A kind that had to be looked for nowhere is read, completely. */
export function coverageOf({ reads, objects, failures, notes, isAbsent, within, names, narrow }: Outcome): Coverage {
  const scope = {
    ...(within === undefined ? {} : { within }),
    ...(names === undefined ? {} : { names }),
    ...(narrow === undefined ? {} : { narrow }),
  }
  // Lists run beside each other: which one failed first is chance, and no reason to report another one in each run.
  const [failure] = failures.toSorted((a, b) => (a.reason < b.reason ? -1 : 1))
  const [note] = notes
  if (isAbsent && reads === 0) return { state: 'not-served' }
  if (failure === undefined) {
    return note === undefined
      ? { state: 'read', complete: true, ...scope }
      : { state: 'read', complete: false, reason: note, ...scope }
  }
  const isPartial = reads > 0 || objects > 0
  return isPartial
    ? { state: 'read', complete: false, reason: failure.reason, ...scope }
    : { state: 'refused', reason: failure.reason }
}
