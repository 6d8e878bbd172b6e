import type { Node, YAMLMap } from 'yaml'
import { LinedYaml } from '../lined-yaml.ts'
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

/**
 * Reads a FleetBootstrap.
 *
 * @param file its name, for messages
 * @throws UsageError with the line for anything that is not understood
 */
export function readBootstrapFile(text: string, file: string): Settings {
  const reader: LinedYaml = new LinedYaml(text, file)
  const spec = reader.parts(KIND, ['spec']).get('spec')
  if (spec === undefined)
    reader.fail(reader.root, 'spec is missing; "fleetctl bootstrap pull --print-config" writes an example')
  const settings: Record<string, unknown> = {}
  const take = (name: SettingName, keyNode: Node, key: string, value: Node | null): void => {
    const read = readValue(name, reader.value(value))
    if (typeof read === 'string') reader.fail(value ?? keyNode, `${key}: ${read}`)
    settings[name] = read.value
  }
  readSpec(reader, reader.map(spec, 'spec'), take)
  return settings
}

function readSpec(
  reader: LinedYaml,
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
