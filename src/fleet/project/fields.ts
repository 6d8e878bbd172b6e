import { isObject, type RawObject, typeName } from '../../raw.ts'

/** A field that was there with a type that it must not have: the field is lost, the object is kept. */
export interface FieldNote {
  readonly path: string
  readonly expected: string
  readonly found: string
}

/** Midnight of the days that were met, epoch milliseconds: a fleet has millions of times and few days. */
const DAYS = new Map<string, number>()

function digits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30
  const ones = text.charCodeAt(at + 1) - 0x30
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/** `Date.parse`, several times faster for `2026-11-30T16:17:47Z`, which is how Kubernetes writes times. */
function parseTime(text: string): number {
  const plain = text.length === 20 && text[10] === 'T' && text[13] === ':' && text[16] === ':' && text[19] === 'Z'
  const [hours, minutes, seconds] = [digits(text, 11), digits(text, 14), digits(text, 17)]
  if (!plain || !(hours < 24 && minutes < 60 && seconds < 60)) return Date.parse(text)
  const date = text.slice(0, 10)
  let day = DAYS.get(date)
  if (day === undefined) {
    day = Date.parse(`${date}T00:00:00Z`)
    DAYS.set(date, day)
  }
  return day + ((hours * 60 + minutes) * 60 + seconds) * 1000
}

/**
 * Texts that were met last, each at a place that its length and three of its characters give. Texts that occur again and again
 * are kept in memory once, for less than it costs to hash them; of others nothing is kept.
 */
const WORDS: string[] = new Array(4096).fill('')

function shared(text: string): string {
  const { length } = text
  // V8 keeps strings as short as this once by itself.
  if (length <= 10) return text
  const place =
    (length * 31 +
      text.charCodeAt(length - 1) * 7 +
      text.charCodeAt(length >> 1) * 131 +
      text.charCodeAt(length - 4) * 523) &
    4095
  const known = WORDS[place]
  if (known === text) return known
  WORDS[place] = text
  return text
}

const NO_STRINGS: readonly string[] = []
const NO_MAP: Readonly<Record<string, string>> = {}
const NO_RAW: RawObject = {}

/**
 * Reads fields of one raw object, checking each as it is narrowed. An absent or null field is empty without a word; one of a
 * wrong type is empty and noted. Paths are put together only for notes, since a fleet has millions of fields.
 */
export class Fields {
  readonly raw: RawObject
  readonly #parent: Fields | undefined
  readonly #key: string
  readonly #index: number
  readonly #notes: FieldNote[]

  constructor(raw: RawObject, notes: FieldNote[], parent?: Fields, key = '', index = -1) {
    this.raw = raw
    this.#notes = notes
    this.#parent = parent
    this.#key = key
    this.#index = index
  }

  get path(): string {
    if (this.#parent === undefined) return ''
    return `${this.#parent.path}.${this.#key}${this.#index < 0 ? '' : `[${this.#index}]`}`
  }

  #lose(key: string, expected: string, value: unknown): void {
    this.#notes.push({ path: `${this.path}.${key}`, expected, found: typeName(value) })
  }

  has(key: string): boolean {
    const value = this.raw[key]
    return value !== undefined && value !== null
  }

  str(key: string): string {
    const value = this.raw[key]
    if (typeof value === 'string') return value
    if (value !== undefined && value !== null) this.#lose(key, 'a string', value)
    return ''
  }

  /** A text that many objects have in common, such as a kind, a reason or a namespace: kept in memory once. */
  word(key: string): string {
    return shared(this.str(key))
  }

  num(key: string): number | undefined {
    const value = this.raw[key]
    if (typeof value === 'number') return value
    if (value !== undefined && value !== null) this.#lose(key, 'a number', value)
    return undefined
  }

  bool(key: string): boolean | undefined {
    const value = this.raw[key]
    if (typeof value === 'boolean') return value
    if (value !== undefined && value !== null) this.#lose(key, 'a boolean', value)
    return undefined
  }

  /** An RFC 3339 time as epoch milliseconds. */
  time(key: string): number | undefined {
    const value = this.raw[key]
    if (value === undefined || value === null || value === '') return undefined
    const parsed = typeof value === 'string' ? parseTime(value) : Number.NaN
    if (!Number.isNaN(parsed)) return parsed
    this.#lose(key, 'an RFC 3339 time', value)
    return undefined
  }

  strs(key: string): readonly string[] {
    const value = this.raw[key]
    if (value === undefined || value === null) return NO_STRINGS
    if (!Array.isArray(value)) {
      this.#lose(key, 'a list of strings', value)
      return NO_STRINGS
    }
    const texts = value.filter(item => typeof item === 'string')
    if (texts.length < value.length) this.#lose(key, 'a list of strings', value)
    return texts.map(shared)
  }

  /** A map of strings. Values of other types are lost one by one. */
  map(key: string): Readonly<Record<string, string>> {
    const value = this.raw[key]
    if (value === undefined || value === null) return NO_MAP
    if (!isObject(value)) {
      this.#lose(key, 'a map of strings', value)
      return NO_MAP
    }
    for (const name in value) {
      if (typeof value[name] !== 'string') {
        const kept: Record<string, string> = {}
        for (const [k, v] of Object.entries(value)) {
          if (typeof v === 'string') kept[k] = v
          else this.#lose(`${key}[${JSON.stringify(k)}]`, 'a string', v)
        }
        return kept
      }
    }
    const texts = value as Record<string, string>
    for (const name in texts) texts[name] = shared(texts[name] ?? '')
    return texts
  }

  /** The object under `key`; an empty one where it is absent. */
  obj(key: string): Fields {
    const value = this.raw[key]
    if (isObject(value)) return new Fields(value, this.#notes, this, key)
    if (value !== undefined && value !== null) this.#lose(key, 'an object', value)
    return new Fields(NO_RAW, this.#notes, this, key)
  }

  objs(key: string): Fields[] {
    const value = this.raw[key]
    if (value === undefined || value === null) return []
    if (!Array.isArray(value)) {
      this.#lose(key, 'a list', value)
      return []
    }
    const list: Fields[] = []
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i]
      if (isObject(item)) list.push(new Fields(item, this.#notes, this, key, i))
      else if (item !== null) this.#lose(`${key}[${i}]`, 'an object', item)
    }
    return list
  }
}
