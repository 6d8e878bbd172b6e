import { readdirSync, readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { parse } from 'yaml'
import { isObject } from '../../src/raw.ts'

/**
 * What an API server says of an object with `fieldValidation=Strict`, without one: the schemas of the real custom resource
 * definitions, in which a field that is not named is an error. CEL rules of the schemas are left to the real server.
 */

type Schema = Record<string, unknown>

/** A structural schema as JSON Schema: closed objects, and the Kubernetes extensions spelt out. */
function close(schema: unknown): Schema {
  if (!isObject(schema)) return {}
  const out: Schema = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' && isObject(value)) {
      out[key] = Object.fromEntries(Object.entries(value).map(([name, s]) => [name, close(s)]))
    } else if (key === 'items' || (key === 'additionalProperties' && isObject(value))) out[key] = close(value)
    // These only constrain values, in all their depth: nothing in them is closed.
    else if (['allOf', 'anyOf', 'oneOf', 'not', 'required', 'enum', 'pattern'].includes(key)) out[key] = value
    else if (/^(type|m(in|ax)(imum|Length|Items|Properties)|additionalProperties)$/.test(key)) out[key] = value
  }
  if (schema['x-kubernetes-int-or-string'] === true) out.type = ['integer', 'string']
  if (schema.nullable === true && typeof out.type === 'string') out.type = [out.type, 'null']
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || 'additionalProperties' in schema
  if (schema.type === 'object' && !isOpen) out.additionalProperties = false
  return out
}

const METADATA: Schema = { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } }
const ajv = new Ajv({ strict: false, allErrors: true })
const FOLDER = new URL('../crds/', import.meta.url)
const FILES = readdirSync(FOLDER)
const validators = new Map<string, ValidateFunction | undefined>()

/** The schema of a kind in a version, read when it is first asked for: some are megabytes. */
function validatorOf(apiVersion: unknown, kind: unknown): ValidateFunction | undefined {
  const [group, version] = String(apiVersion).split('/')
  for (const file of FILES.filter(name => name.includes(`.${group}.`))) {
    const { spec } = parse(readFileSync(new URL(file, FOLDER), 'utf8'))
    const found = spec.versions.find((v: { name: string }) => v.name === version)
    if (spec.group !== group || spec.names.kind !== kind || found === undefined) continue
    const closed = close(found.schema.openAPIV3Schema)
    if (isObject(closed.properties)) closed.properties.metadata = METADATA
    return ajv.compile(closed)
  }
  return undefined
}

/** What is wrong with an object, one line each; empty for a valid one. */
export function schemaErrors(object: Readonly<Record<string, unknown>>): string[] {
  const { apiVersion, kind } = object
  const key = `${apiVersion} ${kind}`
  if (!validators.has(key)) validators.set(key, validatorOf(apiVersion, kind))
  const validate = validators.get(key)
  if (validate === undefined) return [`no definition of ${key}`]
  validate(object)
  return (validate.errors ?? []).map(e => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`)
}
