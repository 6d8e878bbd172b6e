import { describe, expect, it } from 'vitest'
import { labelKeyErrors, labelValueErrors } from '../../../src/fleet/placement/label-syntax.ts'
import { matchesSelector, selectorError, selectorText } from '../../../src/fleet/placement/selector.ts'
import type { LabelExpression, LabelSelector } from '../../../src/fleet/records.ts'

const labels = { env: 'prod', empty: '' }
const expressions = (...list: readonly LabelExpression[]): LabelSelector => ({
  matchLabels: {},
  matchExpressions: list,
})
const one = (key: string, operator: string, ...values: readonly string[]) => expressions({ key, operator, values })

describe('matchesSelector', () => {
  it.each([
    ['In, value listed', one('env', 'In', 'dev', 'prod'), true],
    ['In, value not listed', one('env', 'In', 'dev'), false],
    ['In, no label', one('zone', 'In', 'a'), false],
    ['NotIn, value listed', one('env', 'NotIn', 'prod'), false],
    ['NotIn, no label', one('zone', 'NotIn', 'a'), true],
    ['Exists', one('empty', 'Exists'), true],
    ['Exists, no label', one('zone', 'Exists'), false],
    ['DoesNotExist', one('empty', 'DoesNotExist'), false],
    ['DoesNotExist, no label', one('zone', 'DoesNotExist'), true],
    [
      'all must hold',
      expressions(...one('env', 'Exists').matchExpressions, ...one('zone', 'Exists').matchExpressions),
      false,
    ],
    ['empty selector', expressions(), true],
    ['no selector', undefined, false],
    ['unknown operator', one('env', 'Equals', 'prod'), false],
    ['invalid value', one('env', 'NotIn', 'not a value!'), false],
    ['label that every object has', one('constructor', 'Exists'), false],
  ])('%s', (_, selector, expected) => {
    expect(matchesSelector(labels, selector)).toBe(expected)
  })

  it('wants every one of matchLabels', () => {
    expect(matchesSelector(labels, { matchLabels: { env: 'prod', empty: '' }, matchExpressions: [] })).toBe(true)
    expect(matchesSelector(labels, { matchLabels: { env: 'prod', zone: '' }, matchExpressions: [] })).toBe(false)
  })
})

describe('selectorError', () => {
  it.each([
    [
      'NotIn without values',
      one('env', 'NotIn'),
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      'Exists with values',
      one('env', 'Exists', 'a', 'b'),
      'values: Invalid value: ["a","b"]: values set must be empty for exists and does not exist',
    ],
    ['operator', one('env', 'in', 'a'), '"in" is not a valid label selector operator'],
    [
      'long value',
      one('env', 'In', 'x'.repeat(64)),
      `values[0][env]: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`,
    ],
    ['valid', one('example.com/env', 'In', '', 'A_b.c-1'), undefined],
  ])('%s', (_, selector, expected) => {
    expect(selectorError(selector)).toBe(expected)
  })
})

// https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set
describe('label syntax', () => {
  it.each(['env', 'example.com/env', 'a.b-c_D', `${'p'.repeat(63)}.io/${'n'.repeat(63)}`])('takes key %s', key => {
    expect(labelKeyErrors(key)).toEqual([])
  })

  it.each(['', '/env', 'a/', 'a/b/c', 'Example.com/env', '-env', 'env_', 'n'.repeat(64), `${'p'.repeat(254)}/env`])(
    'refuses key %s',
    key => {
      expect(labelKeyErrors(key)).not.toEqual([])
    },
  )

  it('takes an empty value, and counts bytes', () => {
    expect(labelValueErrors('')).toEqual([])
    expect(labelValueErrors('v'.repeat(63))).toEqual([])
    expect(labelValueErrors('ü'.repeat(32))).toContain('must be no more than 63 bytes')
  })
})

it('writes selectors as kubectl does', () => {
  const selector = {
    matchLabels: { tier: 'web' },
    matchExpressions: [
      { key: 'env', operator: 'In', values: ['prod', 'stage'] },
      { key: 'zone', operator: 'NotIn', values: ['a', 'b'] },
      { key: 'gpu', operator: 'Exists', values: [] },
      { key: 'old', operator: 'DoesNotExist', values: [] },
    ],
  }
  expect(selectorText(selector)).toBe('tier=web,env in (prod,stage),zone notin (a,b),gpu,!old')
  expect(selectorText(expressions())).toBe('everything')
})
