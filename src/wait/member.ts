import type { Subject } from '../fleet/subject.ts'

/** One object of those that are waited for, as it is at one look. */
export interface Member {
  readonly subject: Subject
  readonly state: /** It has what is waited for. */
    | 'met'
    /** It does not, and may get it by itself. */
    | 'waiting'
    /** It does not, and somebody must do something first: a finding of the doctor, a failed sync, a failed workload. */
    | 'failed'
    /** It could not be seen, or what is seen is too old to be believed. Never taken for met. */
    | 'unknown'
  /** What is the case, in one clause. */
  readonly reason: string
  /** Which object said so, e.g. `ManifestWork feedback`; empty for the object itself. */
  readonly source: string
  /** When that was last known to be so, epoch milliseconds; undefined where nothing says. */
  readonly asOf: number | undefined
  /** The doctor's finding behind it. */
  readonly cause: { readonly code: string; readonly subject: Subject; readonly message: string } | null
}

type Said = Partial<Pick<Member, 'source' | 'asOf' | 'cause'>>

export function member(subject: Subject, state: Member['state'], reason: string, said: Said = {}): Member {
  return { subject, state, reason, source: '', asOf: undefined, cause: null, ...said }
}
