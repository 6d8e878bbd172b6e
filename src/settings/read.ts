import { isScalar, isSeq, type Node } from 'yaml'
import { LinedYaml } from '../lined-yaml.ts'
import type { Suppression } from '../suppressions/suppression.ts'
import { didYouMean } from '../ui/nearest.ts'
import { SETTABLE } from './flags.ts'
import type { Place, Scope } from './places.ts'
import { CONFIG } from './schema.ts'

/** A flag as a settings file sets it. */
export interface FlagSetting {
  /** Without `--`. */
  readonly flag: string
  /** As on the command line, one for each time that the flag would be given. */
  readonly values: readonly string[]
  /** `file:line`, for messages. */
  readonly origin: string
}

export interface SettingsFile extends Place {
  readonly flags: readonly FlagSetting[]
  readonly suppressions: readonly Suppression[]
}

const SUPPRESSION_KEYS = ['check', 'object', 'cluster', 'reason', 'owner', 'expires'] as const
const OPTIONAL: ReadonlySet<string> = new Set(['object', 'cluster'])

/**
 * Reads a settings file.
 *
 * @param known every flag that some command has, without `--`
 * @throws UsageError with the line for anything that is not understood or not allowed there
 */
export function readSettings(text: string, place: Place, known: readonly string[]): SettingsFile {
  const reader: LinedYaml = new LinedYaml(text, place.shown)
  const parts = reader.parts(CONFIG, ['flags', 'suppressions'])
  return {
    ...place,
    flags: [...flagsIn(reader, parts.get('flags'), place.scope, known)],
    suppressions: [...suppressionsIn(reader, parts.get('suppressions'))],
  }
}

function origin(reader: LinedYaml, node: Node): string {
  return `${reader.file}:${reader.line(node) ?? 1}`
}

function* flagsIn(
  reader: LinedYaml,
  node: Node | null | undefined,
  scope: Scope,
  known: readonly string[],
): Iterable<FlagSetting> {
  if (node === undefined) return
  for (const [flag, keyNode, value] of reader.pairs(reader.map(node, 'flags'))) {
    const settable = Object.hasOwn(SETTABLE, flag) ? SETTABLE[flag] : undefined
    if (settable === undefined) {
      if (known.includes(flag))
        reader.fail(keyNode, `"flags.${flag}" cannot be set in a file: it is a decision of each call (--${flag})`)
      reader.fail(keyNode, `unknown key "flags.${flag}"${didYouMean(flag, Object.keys(SETTABLE), '')}`)
    }
    if (scope === 'project' && settable.userOnly === true)
      reader.fail(keyNode, `"flags.${flag}" decides who is trusted, so a project cannot set it; the user's config can`)
    const values = valuesIn(reader, value ?? keyNode, flag)
    if (scope === 'project' && flag === 'output' && values.some(text => text.includes('=')))
      reader.fail(value ?? keyNode, '"flags.output" of a project names a format only, no file and no template')
    yield { flag, values, origin: origin(reader, keyNode) }
  }
}

function valuesIn(reader: LinedYaml, node: Node, flag: string): string[] {
  const items = isSeq(node) ? node.items : [node]
  return items.map(item => {
    const value = isScalar(item) ? item.value : undefined
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    return reader.fail(node, `"flags.${flag}" must be a value or a list of values`)
  })
}

function* suppressionsIn(reader: LinedYaml, node: Node | null | undefined): Iterable<Suppression> {
  if (node === undefined) return
  if (!isSeq(node)) reader.fail(node, 'suppressions must be a list')
  for (const item of node.items) {
    const map = reader.map(item as Node | null, 'a suppression')
    const texts = new Map<string, string>()
    for (const [key, keyNode, value] of reader.pairs(map)) {
      if (!SUPPRESSION_KEYS.some(k => k === key))
        reader.fail(keyNode, `unknown key "${key}" of a suppression${didYouMean(key, [...SUPPRESSION_KEYS], '')}`)
      const text = isScalar(value) ? value.value : undefined
      if (typeof text !== 'string' || text.trim() === '')
        reader.fail(value ?? keyNode, `${key} of a suppression must be a text`)
      if (key === 'expires' && !isDay(text))
        reader.fail(value, `expires must be a day such as 2027-03-31, found "${text}"`)
      texts.set(key, text.trim())
    }
    const lacks = SUPPRESSION_KEYS.find(key => !texts.has(key) && !OPTIONAL.has(key))
    if (lacks !== undefined)
      reader.fail(map, `a suppression needs ${lacks}: it has a check, a reason, an owner and a last day (expires)`)
    const text = (key: (typeof SUPPRESSION_KEYS)[number], otherwise = ''): string => texts.get(key) ?? otherwise
    yield {
      origin: origin(reader, map),
      check: text('check'),
      codes: [text('check')],
      object: text('object', '*'),
      cluster: text('cluster', '*'),
      reason: text('reason'),
      owner: text('owner'),
      expires: text('expires'),
    }
  }
}

/** A day of the calendar, `YYYY-MM-DD`. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
