import type { Renderer } from './options.ts'

/** A row that `name` can print: an object in a cluster. */
export interface Named {
  readonly group: string
  readonly kind: string
  readonly name: string
}

/** How one kind of document is shown: its own text forms, and what the general forms need of it. */
export interface View<T> {
  /** For messages: `doctor`, `trace`. */
  readonly what: string
  /** Forms for people and for CI, each loaded when it is asked for. The first is the default. */
  readonly forms: Readonly<Record<string, () => Promise<Renderer<T>>>>
  /** What `jsonl` and `custom-columns` go over, in order. */
  rows(document: T): readonly object[]
  /** `kind` that a `jsonl` line carries. */
  readonly rowKind: string
  /** Objects that `name` prints, in order. */
  names(document: T): readonly Named[]
}

/** Forms that every view has. */
export const GENERAL_FORMS = ['json', 'yaml', 'jsonl', 'name', 'jsonpath', 'jsonpath-file', 'custom-columns'] as const

/** Every format of a view, in the order in which help and errors name them. */
export function formatsOf(view: View<never>): string[] {
  return [...Object.keys(view.forms), ...GENERAL_FORMS]
}
