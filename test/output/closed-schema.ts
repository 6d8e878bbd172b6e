import type { Schema } from '../../src/output/schema/build.ts'

/** The schema with its objects closed, so that a field that it does not know is found. */
export function closed(schema: Schema): Schema {
  const copy: Schema = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closedValue(value)]))
  return 'properties' in schema && 'type' in schema ? { ...copy, additionalProperties: false } : copy
}

function closedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedValue)
  if (typeof value !== 'object' || value === null) return value
  return closed(Object.fromEntries(Object.entries(value)))
}
