import type { KindName } from '../../fleet/kinds.ts'
import type { RawObject } from '../../raw.ts'
import type { Redaction, Redactor } from '../redactor.ts'
import { learnObject } from './learn.ts'
import { Lexicon, type Mapping, Replacer } from './lexicon.ts'
import { Addresses, learnPlaces } from './places.ts'
import { rewriteObject } from './rewrite.ts'

/** All that a redacted snapshot needs to be understood again, and that must not be passed on with it. */
export interface RedactionMapping extends Mapping {
  readonly addresses: Readonly<Record<string, string>>
}

/** Texts come again and again; more than so many are not remembered. */
const MOST_REMEMBERED = 50_000
const LONGEST_REMEMBERED = 300

/**
 * Redacts one fleet. First everything is shown to it (`learn`), then it replaces.
 *
 * @param known mapping of an earlier snapshot, so that the same names are replaced as there
 */
export class FleetRedaction implements Redaction {
  readonly #lexicon = new Lexicon()
  readonly #known: RedactionMapping | undefined
  #sealed: { readonly mapping: Mapping; readonly addresses: Addresses } | undefined

  constructor(known?: RedactionMapping) {
    this.#known = known
  }

  learnCluster(name: string): void {
    this.#lexicon.addName(name, 'cluster')
  }

  learn(kind: KindName, object: RawObject): void {
    learnObject(this.#lexicon, kind, object)
  }

  /** Reasons of what could not be read name addresses and users. */
  learnText(text: string): void {
    learnPlaces(this.#lexicon, text)
    for (const [, user = ''] of text.matchAll(/\buser "([^"]+)"/g)) {
      if (!user.startsWith('system:')) this.#lexicon.add(user, 'user')
    }
  }

  redactor(): Redactor {
    const { mapping, addresses } = this.#seal()
    const replacer = new Replacer(mapping)
    const remembered = new Map<string, string>()
    const text = (value: string): string => {
      const known = remembered.get(value)
      if (known !== undefined) return known
      const replaced = addresses.text(replacer.text(value))
      if (value.length <= LONGEST_REMEMBERED && remembered.size < MOST_REMEMBERED) remembered.set(value, replaced)
      return replaced
    }
    return { text, object: (kind, object) => rewriteObject(kind, object, text) }
  }

  /** What stood for what, once everything was replaced. */
  get mapping(): RedactionMapping {
    const { mapping, addresses } = this.#seal()
    return { ...mapping, addresses: addresses.mapping }
  }

  get kept(): readonly string[] {
    return this.#lexicon.kept
  }

  #seal() {
    this.#sealed ??= { mapping: this.#lexicon.seal(this.#known), addresses: new Addresses(this.#known?.addresses) }
    return this.#sealed
  }
}
