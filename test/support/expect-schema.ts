import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { schemaOf } from '../../src/output/schema/schemas.ts'
import { closed } from '../output/closed-schema.ts'

/** The document keeps to the published schema of its kind, which knows every field of it. */
export function expectSchema(kind: string, document: unknown): void {
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(closed(schemaOf(kind) ?? {}))
  expect(validate(document) ? [] : validate.errors).toEqual([])
}
