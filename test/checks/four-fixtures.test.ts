import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/registry.ts'
import { type CheckRun, runChecks } from '../../src/checks/run.ts'
import { KIND_NAMES } from '../../src/fleet/kinds.ts'
import { FLEET_NAMES, type RecordedFleet, readRecorded, recorded } from '../support/fleets.ts'
import { type Patch, patchedFleet } from '../support/patch.ts'
import { CASES } from './catalogue/cases.ts'

/*
 * Each check has a fleet in which it finds something, one in which it finds nothing though it saw everything, one to which
 * it does not apply, and one whose reading was refused. Cases are held one by one by the catalogue.
 */
const CODES = CHECKS.map(c => c.code)

async function run(fleet: RecordedFleet, change: (patch: Patch) => void = () => {}): Promise<CheckRun> {
  const { fleet: typed, lost } = await patchedFleet(fleet, change).load()
  return runChecks(typed, CHECKS, lost)
}

function everyKind(patch: Patch, change: (cluster: string, kind: (typeof KIND_NAMES)[number]) => void): void {
  for (const { name } of patch.clusters) for (const kind of KIND_NAMES) change(name, kind)
}

describe('every check', () => {
  test('is seen to fail and to pass', async () => {
    const failed = new Set(CASES.map(c => CHECKS.find(check => check.slug === c.slug)?.code))
    const passed = new Set<string>()
    for (const name of FLEET_NAMES) {
      const seen = await run(await readRecorded(name))
      for (const { check } of seen.found) failed.add(check.code)
      for (const { code } of seen.passed) passed.add(code)
    }
    expect(CODES.filter(code => !failed.has(code))).toEqual([])
    expect(CODES.filter(code => !passed.has(code))).toEqual([])
  })

  test('does not apply to a hub without its kinds, and says so', async () => {
    const { skipped } = await run(await recorded('agent-healthy'), patch =>
      everyKind(patch, (cluster, kind) => patch.notServed(cluster, kind)),
    )
    expect(skipped.map(s => s.code)).toEqual(CODES)
    for (const { code, reason } of skipped) expect(reason, code).toMatch(/^the hub does not serve \S/)
  })

  test('knows nothing where reading is refused, and says why', async () => {
    const refused = 'user "viewer" cannot list it'
    const { unknown, found, passed } = await run(await recorded('agent-healthy'), patch =>
      everyKind(patch, (cluster, kind) => patch.refuse(cluster, kind, refused)),
    )
    expect(unknown.map(u => u.code)).toEqual(CODES)
    for (const { code, reason } of unknown) expect(reason, code).toContain(refused)
    expect([...found, ...passed]).toEqual([])
  })
})

test('a check of one delivery model alone does not apply to a fleet of another', async () => {
  const { skipped } = await run(await recorded('push-healthy'))
  const agentOnly = CHECKS.filter(c => c.category === 'agent' && c.notApplicable !== undefined)
  expect(agentOnly.length).toBeGreaterThan(30)
  // These ask whether there ought to be agents at all.
  const asks = new Set(['FLT0801', 'FLT0821', 'FLT0841'])
  const missed = agentOnly.filter(c => !asks.has(c.code) && !skipped.some(s => s.code === c.code))
  expect(missed.map(c => c.code)).toEqual([])
})
