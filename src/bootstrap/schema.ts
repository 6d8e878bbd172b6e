import { object, type Schema } from '../output/schema/build.ts'
import { infoOf, SETTING_NAMES, type SettingName } from './settings.ts'

const RULE: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['apiGroups', 'resources', 'verbs'],
  properties: Object.fromEntries(
    ['apiGroups', 'resources', 'verbs', 'resourceNames'].map(name => [
      name,
      { type: 'array', items: { type: 'string' } },
    ]),
  ),
}

function schemaOf(name: SettingName): Schema {
  const { type, values, help } = infoOf(name)
  switch (type) {
    case 'text':
      return { type: 'string', minLength: 1, description: help }
    case 'number':
      return { type: 'integer', minimum: 0, description: help }
    case 'switch':
      return { type: 'boolean', description: help }
    case 'choice':
      return { enum: values ?? [], description: help }
    case 'list':
      return { type: 'array', items: { type: 'string', minLength: 1 }, description: help }
    case 'rules':
      return { type: 'array', minItems: 1, items: RULE, description: help }
  }
}

/** Unlike what fleetctl prints, what it reads has no unknown fields: a typing error must not pass. */
function closed(properties: Record<string, Schema>): Schema {
  return { type: 'object', additionalProperties: false, properties }
}

/** JSON Schema of a FleetBootstrap, made of the same table as flags and files. */
export const BOOTSTRAP_SCHEMA: Schema = (() => {
  const spec: Record<string, Schema> = {}
  const groups = new Map<string, Record<string, Schema>>()
  for (const name of SETTING_NAMES) {
    const [group, key] = infoOf(name).file
    if (key === undefined) spec[group] = schemaOf(name)
    else groups.set(group, { ...groups.get(group), [key]: schemaOf(name) })
  }
  for (const [group, properties] of groups) spec[group] = closed(properties)
  const envelope = object(
    {
      apiVersion: { const: 'fleetctl/v1' },
      kind: { const: 'FleetBootstrap' },
      metadata: { type: 'object', description: 'For people and tools; not read.' },
      spec: closed(spec),
    },
    { optional: ['metadata'], description: 'What "fleetctl bootstrap -f" reads and --print-config writes.' },
  )
  return { ...envelope, additionalProperties: false }
})()
