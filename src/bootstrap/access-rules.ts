import type { AccessRule } from '../plan/manifests/service-account.ts'
import { isObject } from '../raw.ts'

const LISTS = ['apiGroups', 'resources', 'verbs', 'resourceNames'] as const

/** A rule of a Role as it stands in a file, or what is wrong with it. */
function readRule(value: unknown): AccessRule | string {
  if (!isObject(value)) return 'expected a rule with apiGroups, resources and verbs'
  const unknown = Object.keys(value).find(key => !LISTS.some(name => name === key))
  if (unknown !== undefined) return `unknown key "${unknown}" in a rule; it has ${LISTS.join(', ')}`
  const texts = (key: string): readonly string[] | undefined => {
    const list = value[key]
    return Array.isArray(list) && list.every(item => typeof item === 'string') ? list : undefined
  }
  const [apiGroups, resources, verbs] = [texts('apiGroups'), texts('resources'), texts('verbs')]
  if (apiGroups === undefined || resources === undefined || verbs === undefined || verbs.length === 0) {
    return 'a rule needs apiGroups, resources and verbs, each a list of texts'
  }
  const resourceNames = texts('resourceNames')
  if (value.resourceNames !== undefined && resourceNames === undefined) return 'resourceNames must be a list of texts'
  return { apiGroups, resources, verbs, ...(resourceNames === undefined ? {} : { resourceNames }) }
}

/** A list of rules, or what is wrong with the first bad one. */
export function readRules(value: unknown): readonly AccessRule[] | string {
  if (!Array.isArray(value) || value.length === 0) return 'expected a list of rules'
  const rules: AccessRule[] = []
  for (const item of value) {
    const rule = readRule(item)
    if (typeof rule === 'string') return rule
    rules.push(rule)
  }
  return rules
}
