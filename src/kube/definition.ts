import { isObject, textAt } from '../raw.ts'
import type { Discovery } from './discovery.ts'

/** A definition of which only the metadata was read, completed by what the server's discovery says of it. */
export function definitionOf(raw: unknown, discovery: Discovery): unknown {
  const name = textAt(raw, 'metadata', 'name')
  const dot = name.indexOf('.')
  const [plural, group] = [name.slice(0, dot), name.slice(dot + 1)]
  const versions = discovery.versions(group, plural).map(version => ({ name: version, served: true }))
  const kind = discovery.kindName(group, plural)
  return { ...(isObject(raw) ? raw : {}), spec: { group, names: { plural, kind }, versions } }
}
