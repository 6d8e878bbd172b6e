import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../../src/checks/registry.ts'
import type { ReportedFinding } from '../../../src/checks/report.ts'
import { runDoctor } from '../../../src/doctor.ts'
import { type RecordedFleet, recorded } from '../../support/fleets.ts'
import { patched } from '../../support/patch.ts'
import { type Row, sections } from '../docs/coverage.ts'
import { CHECKS_OF_AGENTS, FAILURES, type Proof } from './agent-rows.ts'
import { CASES } from './cases.ts'

/** Every row of the tables on agent mode that is said to be found is found, and by a check that the coverage names. */

function rowsOf(section: string): readonly Row[] {
  return sections().find(s => s.section === section)?.rows ?? []
}

async function codesIn(fleet: RecordedFleet): Promise<Map<string, string>> {
  const all = (list: readonly ReportedFinding[]): ReportedFinding[] => list.flatMap(f => [f, ...all(f.explains)])
  return new Map(all((await runDoctor(fleet)).findings).map(f => [f.code, f.message]))
}

async function holds(proof: Proof, codes: readonly string[]): Promise<void> {
  if ('slug' in proof) {
    const found = CASES.filter(c => c.slug === proof.slug && c.fault.startsWith(proof.fault))
    expect(found, `${proof.slug}: ${proof.fault}`).toHaveLength(1)
    const [only] = found
    const code = CHECKS.find(c => c.slug === proof.slug)?.code ?? ''
    expect(codes).toContain(code)
    // The catalogue proves that the check fires; here that the doctor shows it beside all others.
    if (only !== undefined) expect([...(await codesIn(await patched(only.fleet, only.change))).keys()]).toContain(code)
    return
  }
  expect(codes).toContain(proof.code)
  if ('fleet' in proof) {
    expect([...(await codesIn(await recorded(proof.fleet))).keys()]).toContain(proof.code)
    return
  }
  expect([...(await codesIn(await recorded('agent-healthy'))).keys()]).not.toContain(proof.code)
  const found = await codesIn(await patched('agent-healthy', proof.change))
  expect([...found.keys()]).toContain(proof.code)
  if (proof.says !== undefined) expect(found.get(proof.code)).toMatch(proof.says)
}

const numbered = (section: string) =>
  rowsOf(section).flatMap((row, i) => (row.codes === undefined ? [] : [{ number: i + 1, row, codes: row.codes }]))

describe('failure table', () => {
  test('every row that a check finds has a proof, and no other', () => {
    expect(Object.keys(FAILURES).map(Number)).toEqual(numbered('AM-5').map(r => r.number))
  })

  test.each(numbered('AM-5'))('$number: $row.fault', async ({ number, codes }) => {
    const proof = FAILURES[number]
    if (proof !== undefined) await holds(proof, codes)
  })
})

describe('checks A01 to A28', () => {
  test('every one that a check covers has proofs, and no other', () => {
    expect(Object.keys(CHECKS_OF_AGENTS).map(Number)).toEqual(numbered('AM-8').map(r => r.number))
  })

  test.each(numbered('AM-8'))('A$number: $row.fault', async ({ number, codes }) => {
    for (const proof of CHECKS_OF_AGENTS[number] ?? []) await holds(proof, codes)
  })
})
