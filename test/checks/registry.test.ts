import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { CATEGORIES, type Model, type Severity } from '../../src/checks/check.ts'
import { CHECKS } from '../../src/checks/registry.ts'
import { RETIRED_CODES } from '../../src/checks/retired.ts'
import { KINDS, type KindName } from '../../src/fleet/kinds.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info']
const MODELS: readonly Model[] = ['push', 'pull', 'agent', 'local']

const twice = (values: readonly string[]) => values.filter((value, i) => values.indexOf(value) !== i)

/** Kinds of a side where they never are: `where` of the table says which side has them. */
const misplaced = (kinds: readonly KindName[], side: 'hub' | 'spoke') =>
  kinds.filter(kind => KINDS[kind].where !== 'both' && KINDS[kind].where !== side)

test('the generated registry holds every check file', () => {
  execFileSync(process.execPath, [join(ROOT, 'scripts/generate-registry.mjs'), '--check'], { stdio: 'pipe' })
})

test('every check has a file of its slug in the folder of its category', () => {
  const files = readdirSync(join(ROOT, 'src/checks'), { recursive: true, encoding: 'utf8' })
  for (const check of CHECKS) expect(files, check.code).toContain(join(check.category, `${check.slug}.ts`))
})

test('codes and slugs are unique and never reused', () => {
  expect(twice(CHECKS.map(check => check.code))).toEqual([])
  expect(twice(CHECKS.map(check => check.slug))).toEqual([])
  expect(CHECKS.filter(check => RETIRED_CODES.includes(check.code))).toEqual([])
})

test('checks stand in the order of their codes', () => {
  const codes = CHECKS.map(check => check.code)
  expect(codes).toEqual([...codes].sort())
})

describe.each(CHECKS.map(check => [check.code, check] as const))('%s', (_, check) => {
  test('is well formed', () => {
    expect(check.code).toMatch(/^FLT\d{4}$/)
    expect(check.slug).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/)
    expect(SEVERITIES).toContain(check.severity)
    expect(CATEGORIES).toContain(check.category)
    expect(check.models.length).toBeGreaterThan(0)
    for (const model of check.models) expect(MODELS).toContain(model)
    expect(twice(check.models)).toEqual([])
  })

  test('says what it is about', () => {
    expect(check.title).toMatch(/^[A-Z].*[^.\s]$/)
    expect(check.docs.why).toMatch(/^[A-Z`"].*[.!?`]$/s)
    expect(check.docs.remedy).toMatch(/^[A-Z`"].*[.!?`]$/s)
    expect(check.docs.sources.length).toBeGreaterThan(0)
    for (const source of check.docs.sources) expect(source.trim()).not.toBe('')
  })

  test('declares kinds where they are', () => {
    const { needs, uses, whole } = check
    expect((needs.hub ?? []).length + (needs.spoke ?? []).length).toBeGreaterThan(0)
    expect(twice(needs.hub ?? [])).toEqual([])
    expect(twice(needs.spoke ?? [])).toEqual([])
    for (const side of ['hub', 'spoke'] as const) {
      const declared = [...(needs[side] ?? []), ...(uses?.[side] ?? [])]
      expect(misplaced(declared, side)).toEqual([])
      expect(declared).toEqual(expect.arrayContaining([...(whole?.[side] ?? [])]))
    }
  })
})
