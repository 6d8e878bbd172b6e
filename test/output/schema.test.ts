import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { SCHEMA_KINDS, schemaOf, schemaOfAll } from '../../src/output/schema/schemas.ts'
import { closed } from './closed-schema.ts'
import { BROKEN, chain, FINDING, LIST, report, UNKNOWN, WARNING } from './samples.ts'

const DOCUMENTS: readonly [kind: string, document: object][] = [
  ['DoctorReport', report()],
  [
    'DoctorReport',
    report({
      findings: [FINDING, WARNING],
      unknown: [UNKNOWN],
      suppressed: [{ ...WARNING, by: '--ignore FLT0205' }],
      problems: [{ where: 'hub/x.yaml', line: 3, message: 'no YAML' }],
    }),
  ],
  ['ApplicationTrace', BROKEN],
  ['ApplicationTrace', chain('ok')],
  ['ApplicationSetTrace', LIST],
  ['ClusterTrace', { ...LIST, kind: 'ClusterTrace', finding: FINDING }],
  ['List', { apiVersion: 'fleetctl/v1', kind: 'List', items: [BROKEN, chain('unknown')] }],
]

function validator(schema: object | undefined) {
  return new Ajv2020({ allErrors: true, strict: true, strictRequired: false }).compile(schema ?? {})
}

describe('JSON Schemas', () => {
  test.each(DOCUMENTS)('%s takes a document of its kind', (kind, document) => {
    const validate = validator(schemaOf(kind))
    validate(document)
    expect(validate.errors).toBeNull()
    const any = validator(schemaOfAll())
    any(document)
    expect(any.errors).toBeNull()
  })

  test.each(DOCUMENTS.filter(([, document]) => !JSON.stringify(document).includes('"by"')))(
    '%s knows every field of the document',
    (kind, document) => {
      const validate = validator(closed(schemaOf(kind) ?? {}))
      validate(document)
      expect(validate.errors).toBeNull()
    },
  )

  test.each([
    ['a severity that there is not', { ...report(), findings: [{ ...FINDING, severity: 'fatal' }] }],
    ['no fingerprint', { ...report(), findings: [{ ...FINDING, fingerprint: undefined }] }],
    ['a time that is none', { ...report(), startedAt: 'yesterday' }],
    ['another kind', { ...report(), kind: 'Report' }],
    ['folded findings of another shape', { ...report(), findings: [{ ...FINDING, explains: [{ code: 'FLT0001' }] }] }],
  ])('a report with %s is refused', (_, document) => {
    expect(validator(schemaOf('DoctorReport'))(JSON.parse(JSON.stringify(document)))).toBe(false)
  })

  test.each([
    ['ApplicationTrace', { ...BROKEN, added: true }],
    ['ApplicationTrace', { ...BROKEN, hops: [{ ...BROKEN.hops[0], added: true }] }],
    ['DoctorReport', report({ findings: [{ ...FINDING, ...{ added: true } }] })],
  ])('a closed %s does not know an added field', (kind, document) => {
    expect(validator(closed(schemaOf(kind) ?? {}))(document)).toBe(false)
  })

  test('fields may be added within v1', () => {
    expect(validator(schemaOf('ApplicationTrace'))({ ...BROKEN, added: true })).toBe(true)
  })

  test('each schema stands alone and names the dialect', () => {
    for (const kind of SCHEMA_KINDS) {
      expect(schemaOf(kind)?.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
      expect(() => validator(schemaOf(kind))).not.toThrow()
    }
    expect(schemaOf('Nothing')).toBeUndefined()
  })
})
