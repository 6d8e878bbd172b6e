import type { KindName } from '../fleet/kinds.ts'
import type { RawObject } from '../raw.ts'

/** Replaces what tells whose fleet it is, the same text always by the same other one. */
export interface Redactor {
  object(kind: KindName, object: RawObject): RawObject
  text(value: string): string
}

/** Looks at everything first: what is a name in one object is part of a message in another. */
export interface Redaction {
  learnCluster(name: string): void
  learn(kind: KindName, object: RawObject): void
  learnText(text: string): void
  redactor(): Redactor
}

export const NO_REDACTOR: Redactor = { object: (_, object) => object, text: value => value }
