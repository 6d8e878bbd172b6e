import {
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml'
import { UsageError } from '../errors.ts'
import { toYaml } from '../output/yaml.ts'
import { didYouMean } from '../ui/nearest.ts'
import { readRules } from './access-rules.ts'
import { infoOf, SETTING_NAMES, type SettingName, type Settings } from './settings.ts'

const API_VERSION = 'fleetctl/v1'
const KIND = 'FleetBootstrap'

/** Keys of `spec`: a setting, or a group of settings. */
const GROUPS: ReadonlyMap<string, SettingName | ReadonlyMap<string, SettingName>> = (() => {
  const groups = new Map<string, SettingName | Map<string, SettingName>>()
  for (const name of SETTING_NAMES) {
    const [group, key] = infoOf(name).file
    if (key === undefined) {
      groups.set(group, name)
      continue
    }
    const inner = groups.get(group)
    if (inner instanceof Map) inner.set(key, name)
    else groups.set(group, new Map([[key, name]]))
  }
  return groups
})()

class FileReader {
  readonly #file: string
  readonly #lines: LineCounter
  constructor(file: string, lines: LineCounter) {
    this.#file = file
    this.#lines = lines
  }

  /** @throws UsageError naming file and line */
  fail(node: Node | null | undefined, message: string): never {
    const offset = node?.range?.[0]
    const line = offset === undefined ? '' : `:${this.#lines.linePos(offset).line}`
    throw new UsageError(`${this.#file}${line}: ${message}`)
  }

  /** Pairs of a map with text keys. */
  *pairs(map: YAMLMap): Iterable<readonly [key: string, keyNode: Node, value: Node | null]> {
    for (const pair of map.items) {
      if (!isPair(pair) || !isScalar(pair.key)) this.fail(isNode(pair.key) ? pair.key : map, 'a key must be a text')
      yield [String(pair.key.value), pair.key, (pair.value ?? null) as Node | null]
    }
  }

  map(node: Node | null, what: string): YAMLMap {
    return isMap(node) ? node : this.fail(node, `${what} must be a map`)
  }
}

/** Value of a setting in the file, or what is wrong with it. */
function readValue(name: SettingName, value: unknown): { readonly value: unknown } | string {
  const { type, values = [] } = infoOf(name)
  switch (type) {
    case 'text':
      return typeof value === 'string' && value !== '' ? { value } : 'expected a text'
    case 'number':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? { value } : 'expected a whole number'
    case 'switch':
      return typeof value === 'boolean' ? { value } : 'expected true or false'
    case 'choice':
      return values.some(word => word === value) ? { value } : `expected ${values.join(', ')}`
    case 'list': {
      const isTexts = Array.isArray(value) && value.every(item => typeof item === 'string' && item !== '')
      return isTexts ? { value } : 'expected a list of texts'
    }
    case 'rules': {
      const rules = readRules(value)
      return typeof rules === 'string' ? rules : { value: rules }
    }
  }
}

/** What the parser says, without the line (which stands before it) and without its advice to programmers. */
function syntaxText({ code, message }: YAMLParseError): string {
  if (code === 'MULTIPLE_DOCS') return `a second document begins; a file holds one ${KIND}`
  return `not valid YAML: ${(message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')}`
}

/**
 * Reads a FleetBootstrap.
 *
 * @param file its name, for messages
 * @throws UsageError with the line for anything that is not understood
 */
export function readBootstrapFile(text: string, file: string): Settings {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter })
  const [error] = document.errors
  if (error !== undefined) {
    const line = error.linePos?.[0].line
    throw new UsageError(`${file}${line === undefined ? '' : `:${line}`}: ${syntaxText(error)}`)
  }
  const reader: FileReader = new FileReader(file, lineCounter)
  const root = reader.map(document.contents, `a ${KIND}`)
  const settings: Record<string, unknown> = {}
  const take = (name: SettingName, keyNode: Node, key: string, value: Node | null): void => {
    const read = readValue(name, value?.toJS(document))
    if (typeof read === 'string') reader.fail(value ?? keyNode, `${key}: ${read}`)
    settings[name] = read.value
  }
  const seen = new Set<string>()
  for (const [key, keyNode, value] of reader.pairs(root)) {
    seen.add(key)
    const is = isScalar(value) ? value.value : undefined
    if (key === 'apiVersion' && is !== API_VERSION) reader.fail(value ?? keyNode, `apiVersion must be ${API_VERSION}`)
    if (key === 'kind' && is !== KIND) reader.fail(value ?? keyNode, `kind must be ${KIND}`)
    if (key === 'apiVersion' || key === 'kind' || key === 'metadata') continue
    if (key !== 'spec') reader.fail(keyNode, `unknown key "${key}"; a ${KIND} has apiVersion, kind and spec`)
    readSpec(reader, reader.map(value, 'spec'), take)
  }
  for (const key of ['apiVersion', 'kind', 'spec']) {
    if (!seen.has(key))
      reader.fail(root, `${key} is missing; "fleetctl bootstrap pull --print-config" writes an example`)
  }
  return settings
}

function readSpec(
  reader: FileReader,
  spec: YAMLMap,
  take: (name: SettingName, keyNode: Node, key: string, value: Node | null) => void,
): void {
  for (const [key, keyNode, value] of reader.pairs(spec)) {
    const group = GROUPS.get(key)
    if (group === undefined) reader.fail(keyNode, `unknown key "spec.${key}"${didYouMean(key, [...GROUPS.keys()], '')}`)
    if (typeof group === 'string') {
      take(group, keyNode, `spec.${key}`, value)
      continue
    }
    for (const [inner, innerNode, innerValue] of reader.pairs(reader.map(value, `spec.${key}`))) {
      const name = group.get(inner)
      if (name === undefined) {
        reader.fail(innerNode, `unknown key "spec.${key}.${inner}"${didYouMean(inner, [...group.keys()], '')}`)
      }
      take(name, innerNode, `spec.${key}.${inner}`, innerValue)
    }
  }
}

/** The settings as a FleetBootstrap, in the order of the flags. */
export function writeBootstrapFile(settings: Settings): string {
  const spec: Record<string, unknown> = {}
  for (const name of SETTING_NAMES) {
    const value = settings[name]
    if (value === undefined) continue
    const [group, key] = infoOf(name).file
    if (key === undefined) spec[group] = value
    else spec[group] = { ...(spec[group] as Record<string, unknown> | undefined), [key]: value }
  }
  return toYaml({ apiVersion: API_VERSION, kind: KIND, spec })
}
