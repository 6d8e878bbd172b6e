import type { Schema } from './build.ts'
import { DEFINITIONS } from './definitions.ts'
import { KINDS_OF_DOCUMENTS, REPORT_PARTS } from './reports.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** Kinds of documents that have a schema, in the order in which they are listed. */
export const SCHEMA_KINDS: readonly string[] = Object.keys(KINDS_OF_DOCUMENTS)

/** The schema of one kind with all that it refers to; undefined for a kind that there is not. */
export function schemaOf(kind: string): Schema | undefined {
  const schema = KINDS_OF_DOCUMENTS[kind]
  if (schema === undefined) return undefined
  return { $schema: DIALECT, $id: id(kind), title: kind, ...schema, $defs: used(schema) }
}

/** One schema that takes each of the documents. */
export function schemaOfAll(): Schema {
  const $defs = { ...DEFINITIONS, ...REPORT_PARTS, ...KINDS_OF_DOCUMENTS }
  const oneOf = SCHEMA_KINDS.map(kind => ({ $ref: `#/$defs/${kind}` }))
  return { $schema: DIALECT, $id: id('all'), title: 'Documents of fleetctl/v1', oneOf, $defs }
}

function id(name: string): string {
  return `urn:fleetctl:v1:${name}`
}

/** Definitions that the schema refers to, directly or through others. */
function used(schema: Schema): Record<string, Schema> {
  const all: Readonly<Record<string, Schema>> = { ...DEFINITIONS, ...REPORT_PARTS }
  const found: Record<string, Schema> = {}
  const open = [schema]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const match of JSON.stringify(next).matchAll(/"#\/\$defs\/(\w+)"/g)) {
      const name = match[1] ?? ''
      const definition = all[name]
      if (definition === undefined || name in found) continue
      found[name] = definition
      open.push(definition)
    }
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)))
}
