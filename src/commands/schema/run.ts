import { EXIT, type ExitCode, UsageError } from '../../errors.ts'
import { toJson } from '../../output/json.ts'
import type { Schema } from '../../output/schema/build.ts'
import { SCHEMA_KINDS, schemaOf, schemaOfAll } from '../../output/schema/schemas.ts'
import type { View } from '../../output/view.ts'
import { didYouMean } from '../../ui/nearest.ts'
import type { Call } from '../call.ts'
import { produce } from '../produce.ts'

const SCHEMA_VIEW: View<Schema> = {
  what: 'schema',
  forms: { text: async () => schema => toJson(schema) },
  rows: () => SCHEMA_KINDS.map(kind => ({ kind })),
  rowKind: 'SchemaKind',
  names: () => [],
}

/** `fleetctl schema [KIND]`. */
export async function schema(call: Call): Promise<ExitCode> {
  const [kind] = call.args
  return produce(call, {
    view: SCHEMA_VIEW,
    doing: 'Writing the schema',
    run: async () => (kind === undefined ? schemaOfAll() : named(kind)),
    exitCode: () => EXIT.ok,
  })
}

function named(kind: string): Schema {
  const found = SCHEMA_KINDS.find(known => known.toLowerCase() === kind.toLowerCase())
  const schema = found === undefined ? undefined : schemaOf(found)
  if (schema !== undefined) return schema
  throw new UsageError(`there is no schema "${kind}"${didYouMean(kind, SCHEMA_KINDS, `: ${SCHEMA_KINDS.join(', ')}`)}`)
}
