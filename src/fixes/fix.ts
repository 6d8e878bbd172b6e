import type { Finding } from '../checks/check.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { KindName } from '../fleet/kinds.ts'
import type { Subject } from '../fleet/subject.ts'
import type { ApiVersionOf } from '../plan/manifests/served.ts'
import type { Manifest } from '../plan/object.ts'
import type { RawObject } from '../raw.ts'

/** What a fix works with. */
export interface FixInput {
  readonly finding: Finding
  readonly fleet: Fleet
  /** An object of the hub as it is, with what earlier fixes of the same plan want of it; undefined where it was not seen. */
  object(of: Subject): RawObject | undefined
  /** API version of a kind, as the hub serves it. */
  readonly version: ApiVersionOf
}

/** One object that a fix writes, whole where it is new and else only the fields that it changes; or one that it deletes. */
export type FixStep =
  | {
      readonly does: 'write'
      readonly manifest: Manifest
      readonly why: string
      /** It starts something once (a sync, a look) and says nothing of what is wanted: no file for Git, nobody's to keep. */
      readonly once?: true
    }
  | { readonly does: 'delete'; readonly subject: Subject; readonly why: string }

/** What mends a finding. */
export interface Repair {
  readonly steps: readonly FixStep[]
  /** What a person still has to do afterwards, as an imperative. */
  readonly afterwards?: string
}

/** How findings of one check are mended by machine: a pure function from a finding and its fleet to objects. */
export interface Fix {
  /** Code of the check. */
  readonly code: string
  /** What it does, as an imperative without a period. */
  readonly does: string
  /** What it may bring about besides, as a sentence without a period. */
  readonly risk: string
  /**
   * Part of `--all-safe`: it puts back what the fleet says itself, deletes nothing, hands out no rights but those that the
   * controllers of the hub hand out themselves, and starts nothing that somebody may have held back on purpose.
   */
  readonly safe: boolean
  /** False: it only starts or deletes something, so there is nothing to write for Git. */
  readonly inGit?: false
  /** Kinds of the hub that it writes, or of which it must see whole objects. */
  readonly kinds: readonly KindName[]
  /** Why this very finding cannot be mended by machine; looks at no kind that the check does not. */
  hinders?(finding: Finding, fleet: Fleet): string | undefined
  /** The repair, or why there is none. */
  repair(input: FixInput): Repair | string
}
