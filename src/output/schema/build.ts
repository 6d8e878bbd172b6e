/** A JSON Schema, as far as fleetctl writes them. */
export interface Schema {
  readonly [keyword: string]: unknown
}

export const string = (description: string): Schema => ({ type: 'string', description })
export const integer = (description: string): Schema => ({ type: 'integer', minimum: 0, description })
export const boolean = (description: string): Schema => ({ type: 'boolean', description })
export const oneOf = (values: readonly string[], description: string): Schema => ({ enum: values, description })
export const constant = (value: string): Schema => ({ const: value })
export const listOf = (items: Schema, description: string): Schema => ({ type: 'array', items, description })
export const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` })
export const orNull = (schema: Schema, description: string): Schema => ({
  anyOf: [schema, { type: 'null' }],
  description,
})

/** RFC 3339, or empty where nothing says. */
export const time = (description: string): Schema => ({
  type: 'string',
  pattern: '^$|^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$',
  description: `${description} RFC 3339 in UTC, empty where it is not known.`,
})

/**
 * An object whose properties are all required but the optional ones. Further properties stay allowed: within v1 fields may
 * be added.
 */
export function object(
  properties: Readonly<Record<string, Schema>>,
  { optional = [], description }: { readonly optional?: readonly string[]; readonly description?: string } = {},
): Schema {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties,
    required: Object.keys(properties).filter(name => !optional.includes(name)),
  }
}
