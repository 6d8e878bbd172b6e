import { isReservedWord, isStandardName, isStandardWord } from './standard.ts'

/** What a name is of; the first letter of what stands for it. In order of precedence. */
const CATEGORIES = ['cluster', 'namespace', 'host', 'user', 'application', 'word'] as const
type Category = (typeof CATEGORIES)[number]

const WORD = /[\p{L}\p{N}]+/gu

/** What stands for what. Words and names in lower case. */
export interface Mapping {
  readonly words: Readonly<Record<string, string>>
  /** Names that consist of standard words only, which are replaced as a whole. */
  readonly names: Readonly<Record<string, string>>
}

/**
 * Gathers the words that tell whose fleet it is. Replacing words, and not whole names, keeps derived names what they are:
 * whatever a controller or a template puts together of a cluster's name, a dash and more, stays put together of what stands
 * for that name.
 */
export class Lexicon {
  readonly #words = new Map<string, Category>()
  readonly #names = new Map<string, Category>()
  readonly #kept = new Set<string>()

  /** Names that are to be replaced and cannot be, since standard objects are called so too. */
  get kept(): readonly string[] {
    return [...this.#kept].sort()
  }

  /** A name, or a text, of which the words that are not standard are a user's own. */
  add(text: string, category: Category): void {
    for (const [word] of text.toLowerCase().matchAll(WORD)) {
      // Parts of uids and hashes end names that controllers make.
      if (!isStandardWord(word) && !/^(?=.*\d)[0-9a-f]{4,}$/.test(word)) this.#word(word, category)
    }
  }

  /** A name that must not be seen: where all its words are standard, the whole of it is replaced. */
  addName(name: string, category: Category): void {
    const lower = name.toLowerCase()
    if (isStandardName(lower)) return
    const words = lower.match(WORD) ?? []
    const own = words.filter(word => !isStandardWord(word))
    for (const word of own) this.#word(word, category)
    if (own.length > 0 || words.length === 0) return
    if (words.length === 1 && isReservedWord(lower)) this.#kept.add(name)
    else put(this.#names, lower, category)
  }

  #word(word: string, category: Category): void {
    put(this.#words, word, category)
  }

  /** Gives each word and name what stands for it, of the same length and in the same order wherever there is room. */
  seal(known?: Mapping): Mapping {
    const taken = new Set<string>([...this.#words.keys(), ...this.#names.keys()])
    const words = assign(this.#words, known?.words ?? {}, taken)
    const names = assign(this.#names, known?.names ?? {}, taken)
    return { words: Object.fromEntries(words), names: Object.fromEntries(names) }
  }
}

function put(map: Map<string, Category>, key: string, category: Category): void {
  const before = map.get(key)
  if (before === undefined || CATEGORIES.indexOf(category) < CATEGORIES.indexOf(before)) map.set(key, category)
}

function assign(
  all: ReadonlyMap<string, Category>,
  known: Readonly<Record<string, string>>,
  taken: Set<string>,
): Map<string, string> {
  const assigned = new Map<string, string>()
  for (const [original, replacement] of Object.entries(known)) {
    taken.add(replacement)
    assigned.set(original, replacement)
  }
  const isFree = (word: string): boolean => !taken.has(word) && !isStandardWord(word)
  const near = new Neighbours()
  for (const category of CATEGORIES) {
    // The order stays: where a controller takes the first by name, it took the first of these too.
    const own = [...all].flatMap(([word, c]) => (c === category && !assigned.has(word) ? [word] : [])).sort()
    const digits = Math.max(1, (own.length - 1).toString(36).length)
    own.forEach((word, i) => {
      const like = assigned.get(near.of(word) ?? '')
      const misspelt = like === undefined || category === 'cluster' ? undefined : misspellings(like).find(isFree)
      let made = misspelt ?? filled(`${category.charAt(0)}${i.toString(36).padStart(digits, '0')}`, word.length)
      while (!isFree(made)) made += LETTERS.charAt(made.length % LETTERS.length)
      taken.add(made)
      near.add(word)
      assigned.set(word, made)
    })
  }
  return assigned
}

/** Without vowels no words come about. */
const LETTERS = 'bcdfghjkmnpqrtvwxz'

/** Fills up with letters that differ from word to word: names that are not alike must not become so. */
function filled(head: string, length: number): string {
  let out = head
  let seed = [...head].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5)
  while (out.length < length) {
    seed = Math.imul(seed ^ (seed >>> 13), 0x5bd1e995)
    out += LETTERS.charAt((seed >>> 8) % LETTERS.length)
  }
  return out
}

/** What is one letter from a word, so that checks still take the one for a misspelt other. */
function misspellings(word: string): string[] {
  return word.length < 4 ? [] : [...LETTERS].map(letter => word.slice(0, -1) + letter)
}

/** Finds a word that differs in one letter, or in the order of two. */
class Neighbours {
  readonly #byPart = new Map<string, string>()

  add(word: string): void {
    for (const part of parts(word)) if (!this.#byPart.has(part)) this.#byPart.set(part, word)
  }

  of(word: string): string | undefined {
    if (word.length < 4) return undefined
    for (const part of parts(word)) {
      const found = this.#byPart.get(part)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** A word less one of its letters, in each way. */
function parts(word: string): string[] {
  return [word, ...[...word].map((_, i) => word.slice(0, i) + word.slice(i + 1))]
}

/** Replaces words and names in texts. */
export class Replacer {
  readonly #words: ReadonlyMap<string, string>
  readonly #names: ReadonlyMap<string, string>
  /** Lengths of the names that begin with a word, the longest first. */
  readonly #lengths = new Map<string, number[]>()

  constructor({ words, names }: Mapping) {
    this.#words = new Map(Object.entries(words))
    this.#names = new Map(Object.entries(names))
    for (const name of this.#names.keys()) {
      const first = name.match(WORD)?.[0] ?? ''
      const lengths = this.#lengths.get(first) ?? []
      if (!lengths.includes(name.length)) lengths.push(name.length)
      this.#lengths.set(
        first,
        lengths.sort((a, b) => b - a),
      )
    }
  }

  text(text: string): string {
    const lower = text.toLowerCase()
    // Characters whose lower case is longer would shift every place behind them.
    const isAligned = lower.length === text.length
    let out = ''
    let done = 0
    for (const match of text.matchAll(WORD)) {
      const at = match.index
      if (at < done) continue
      const [original] = match
      const word = original.toLowerCase()
      const name = isAligned ? this.#nameAt(lower, at, word) : undefined
      const replacement = name ?? this.#words.get(word)
      if (replacement === undefined) continue
      const length = name === undefined ? original.length : this.#matched
      out += text.slice(done, at) + inCaseOf(text.slice(at, at + length), replacement)
      done = at + length
    }
    return done === 0 ? text : out + text.slice(done)
  }

  #matched = 0

  #nameAt(lower: string, at: number, word: string): string | undefined {
    for (const length of this.#lengths.get(word) ?? []) {
      const found = this.#names.get(lower.slice(at, at + length))
      if (found === undefined || /^[\p{L}\p{N}]/u.test(lower.slice(at + length, at + length + 2))) continue
      this.#matched = length
      return found
    }
    return undefined
  }
}

function inCaseOf(original: string, replacement: string): string {
  if (original.length > 1 && original === original.toUpperCase() && /\p{Lu}/u.test(original))
    return replacement.toUpperCase()
  if (/^\p{Lu}/u.test(original)) return replacement.charAt(0).toUpperCase() + replacement.slice(1)
  return replacement
}
