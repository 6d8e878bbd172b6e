import { describe, expect, test } from 'vitest'
import type { Check, Finding } from '../../src/checks/check.ts'
import { fold, type Node, weight } from '../../src/checks/fold.ts'
import { CHECKS } from '../../src/checks/registry.ts'
import { type Subject, subject } from '../../src/fleet/subject.ts'

describe('by object and join', () => {
  const [template] = CHECKS
  if (template === undefined) throw new Error('there are no checks')
  const check = (code: string): Check => ({ ...template, code, severity: 'error' })
  const a = subject('hub', 'ManagedCluster', '', 'a')
  const b = subject('hub', 'ManagedCluster', '', 'b')
  const found = (code: string, at: Subject, more: Partial<Finding> = {}) => ({
    check: check(code),
    finding: { subject: at, message: '', evidence: [], fix: '', ...more },
  })
  const shape = (nodes: readonly Node[]): unknown[] =>
    nodes.map(n => [n.found.check.code, n.found.finding.subject.name, shape(n.children)])

  test('the nearest cause that has a finding wins', () => {
    const c = subject('hub', 'ManagedCluster', '', 'c')
    const roots = fold([
      found('FLT9001', a),
      found('FLT9002', b),
      found('FLT9003', c, { because: [{ subject: b }, { subject: a }] }),
    ])
    expect(shape(roots)).toEqual([
      ['FLT9001', 'a', []],
      ['FLT9002', 'b', [['FLT9003', 'c', []]]],
    ])
  })

  test('a cause may be bound to codes', () => {
    const roots = fold([found('FLT9001', a), found('FLT9003', b, { because: [{ subject: a, codes: ['FLT9002'] }] })])
    expect(roots).toHaveLength(2)
  })

  test('what does not break delivery explains nothing', () => {
    const roots = fold([found('FLT9001', a, { breaks: false }), found('FLT9003', b, { because: [{ subject: a }] })])
    expect(roots).toHaveLength(2)
  })

  test('two findings that name each other do not vanish', () => {
    const roots = fold([
      found('FLT9001', a, { because: [{ subject: b }] }),
      found('FLT9002', b, { because: [{ subject: a }] }),
    ])
    expect(roots).toHaveLength(1)
    expect(roots.map(weight)).toEqual([1])
  })

  test('a finding does not explain itself', () => {
    expect(shape(fold([found('FLT9001', a, { because: [{ subject: a }] })]))).toEqual([['FLT9001', 'a', []]])
  })

  test('one code on one object is one finding with the evidence of all', () => {
    const evidence = (value: string) => [{ subject: a, path: '', value }]
    const [only, ...others] = fold([
      found('FLT9001', a, { evidence: evidence('one'), clusters: ['x'] }),
      found('FLT9001', a, { evidence: evidence('two'), clusters: ['y'], because: [{ subject: b }] }),
    ])
    expect(others).toEqual([])
    expect(only?.found.finding.evidence.map(e => e.value)).toEqual(['one', 'two'])
    expect(only?.found.finding.clusters).toEqual(['x', 'y'])
  })

  test('a warning that explains an error is shown as an error', () => {
    const [root] = fold([
      found('FLT9001', a, { severity: 'warning', breaks: true }),
      found('FLT9002', b, { because: [{ subject: a }] }),
    ])
    expect([root?.found.finding.subject.name, root?.severity]).toEqual(['a', 'error'])
  })
})
