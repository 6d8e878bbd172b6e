import { expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/registry.ts'
import { runDoctor } from '../../src/doctor.ts'
import { type Subject, subjectText } from '../../src/fleet/subject.ts'
import { recorded } from '../support/fleets.ts'
import { patchedFleet } from '../support/patch.ts'
import { CASES } from './catalogue/cases.ts'

/*
 * The catalogue tests checks alone. Here each of its faults is seen by the whole doctor: whatever else it brings about must lie
 * under it, not beside it as a cause of its own.
 */

/** Cases that bring about another fault in truth, each with the reason. */
const BESIDE: readonly (readonly [reason: string, codes: readonly string[]])[] = [
  ['much time has passed, and nothing else happened in it', ['FLT0207', 'FLT0220', 'FLT0229', 'FLT0413', 'FLT0815']],
  [
    'only one object was changed, where controllers would have changed others with it',
    ['FLT0314', 'FLT0416', 'FLT0523', 'FLT0608', 'FLT0704', 'FLT0707', 'FLT0709', 'FLT0819', 'FLT0843'],
  ],
  ['what it predicts has another fault for its cause, which is told first', ['FLT0311']],
  ['the object that is in the wrong place, or gone, is missed by others too', ['FLT0114', 'FLT0218']],
]
const ELSEWHERE = new Set(BESIDE.flatMap(([, codes]) => codes))

const codeOf = new Map(CHECKS.map(c => [c.slug, c.code]))
const keyOf = (f: { readonly code: string; readonly subject: Subject }) => `${f.code} ${subjectText(f.subject)}`

test.each(CASES.filter(c => !ELSEWHERE.has(codeOf.get(c.slug) ?? '')))(
  '$slug: $fault brings about no second root',
  async ({ slug, fleet, change, subject, severity }) => {
    const before = new Set((await runDoctor(await recorded(fleet))).findings.map(keyOf))
    const { findings } = await runDoctor(patchedFleet(await recorded(fleet), change))
    const own = `${codeOf.get(slug)} ${subject}`
    const errors = findings.filter(f => f.severity === 'error' && !before.has(keyOf(f))).map(keyOf)
    expect(errors.filter(key => key !== own)).toEqual([])
    if (severity === 'error') expect(errors).toEqual([own])
  },
)

test('every exception is one of a case', () => {
  const codes = new Set(CASES.map(c => codeOf.get(c.slug)))
  expect([...ELSEWHERE].filter(code => !codes.has(code))).toEqual([])
})
