import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/registry.ts'
import { SUPPRESSION_CHECKS } from '../../src/suppressions/checks.ts'
import { reasons, rowId, sections } from './docs/coverage.ts'

/** Rows that each table of the references has. */
const COUNTS: Readonly<Record<string, number>> = {
  'PP-1.1': 9,
  'PP-1.3': 5,
  'PP-1.4': 7,
  'PP-1.6': 14,
  'PP-1.7': 12,
  'PP-1.8s': 9,
  'PP-1.8': 8,
  'PP-1.9': 7,
  'PP-1.10g': 8,
  'PP-1.10': 14,
  'PP-1.11': 15,
  'PP-1.12': 8,
  'PP-1.13': 12,
  'PP-3': 13,
  'PP-5': 31,
  'PP-7.2': 41,
  'AM-5': 75,
  'AM-8': 28,
  'AM-6.3': 15,
  'FF-A': 6,
  'FF-B': 6,
  'FF-C': 9,
  'FF-D': 11,
  'FF-E': 5,
  'FF-F': 9,
  'FF-G': 6,
  'FF-H': 7,
  'FF-I': 8,
  'FF-J': 5,
  'FF-K': 6,
  'FF-L': 3,
  'RV-P': 21,
  'RV-C': 10,
  'RV-S': 10,
  'RV-D': 19,
}

const SECTIONS = sections()
const REASONS = reasons()
const ALL = [...CHECKS, ...SUPPRESSION_CHECKS]

test('every table of the references is there, with all of its rows', () => {
  expect(Object.fromEntries(SECTIONS.map(s => [s.section, s.rows.length]))).toEqual(COUNTS)
  for (const s of SECTIONS) if (s.ids !== undefined) expect(s.ids.length, s.section).toBe(s.rows.length)
  const field = SECTIONS.filter(s => s.section.startsWith('FF-')).reduce((sum, s) => sum + s.rows.length, 0)
  expect(field).toBe(81)
})

describe.each(SECTIONS)('$section $title', ({ rows }) => {
  test('every row has checks that exist, or a reason that is explained', () => {
    const codes = new Set(ALL.map(c => c.code))
    for (const row of rows) {
      expect(row.fault.trim(), JSON.stringify(row)).not.toBe('')
      expect(Object.keys(row).length, row.fault).toBe(2)
      if (row.codes === undefined) expect(REASONS, row.fault).toHaveProperty(row.reason ?? 'none')
      else {
        expect(row.codes.length, row.fault).toBeGreaterThan(0)
        expect(
          row.codes.filter(c => !codes.has(c)),
          row.fault,
        ).toEqual([])
        expect(new Set(row.codes).size, row.fault).toBe(row.codes.length)
      }
    }
  })
})

test('ids of rows are unique and stable', () => {
  const ids = SECTIONS.flatMap(s => s.rows.map((_, i) => rowId(s, i)))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(['PP-1.6-03', 'PP-7.2-W05', 'AM-5-75', 'AM-8-01', 'FF-K-06']))
})

test('every reason is used', () => {
  const used = new Set(SECTIONS.flatMap(s => s.rows.flatMap(r => r.reason ?? [])))
  expect(Object.keys(REASONS).filter(r => !used.has(r))).toEqual([])
})

test('every check has a row', () => {
  const mapped = new Set(SECTIONS.flatMap(s => s.rows.flatMap(r => r.codes ?? [])))
  expect(ALL.map(c => c.code).filter(code => !mapped.has(code))).toEqual([])
})

test('at least a hundred checks', () => {
  expect(CHECKS.length).toBeGreaterThanOrEqual(100)
})
