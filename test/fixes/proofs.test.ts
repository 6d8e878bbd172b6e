import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/registry.ts'
import { EXIT, FleetctlError } from '../../src/errors.ts'
import { FIXES } from '../../src/fixes/registry.ts'
import { objectSteps } from '../../src/plan/plan.ts'
import { fixRights } from '../../src/rbac/fix-rights.ts'
import { CASES } from '../checks/catalogue/cases.ts'
import { diagnosed } from '../support/diagnosed.ts'
import { FLEET_NAMES, type RecordedFleet, readRecorded, recorded } from '../support/fleets.ts'
import { patchedFleet } from '../support/patch.ts'
import { OWN_CASES } from './own-cases.ts'
import { keysOf, type Mendable, mend, mendable } from './prove.ts'
import { REACTIONS } from './reactions.ts'

/** Codes of which a proof was given; every fix must be here in the end. */
const proven = new Set<string>()
/** What "rbac --for fix" prints rights for. */
const granted = new Set(fixRights().map(({ verb, kind }) => `${verb} ${kind}`))
const VERBS: Readonly<Record<string, readonly string[]>> = {
  create: ['get', 'create', 'patch', 'delete'],
  configure: ['get', 'patch'],
  // It comes back when the fix is taken back.
  delete: ['get', 'delete', 'create', 'patch'],
}

/**
 * Carries out the fix of a finding in memory and looks again: the finding must be gone and nothing new be there.
 *
 * @param known findings that the fleet has anyway
 */
async function prove(fleet: RecordedFleet, one: Mendable, known: ReadonlySet<string>): Promise<void> {
  const reaction = REACTIONS[`${one.code} ${fleet.name}`] ?? REACTIONS[one.code]
  const healthy = await recorded(reaction?.healthy ?? 'push-healthy')
  const mended = await mend(fleet, one, patch => reaction?.react(patch, healthy)).catch((error: unknown) => {
    // Whole objects may show what the finding alone does not: then it says so, and proves nothing.
    if (error instanceof FleetctlError && error.exitCode === EXIT.refused) return undefined
    throw error
  })
  if (mended === undefined) return
  for (const { action, subject } of objectSteps(mended.plan)) {
    for (const verb of VERBS[action] ?? [])
      expect(granted, `${one.code} needs ${verb}`).toContain(`${verb} ${subject.kind}`)
  }
  const after = keysOf(await diagnosed(mended.fleet))
  const what = `${fleet.name}: ${one.key}`
  expect(after.has(one.key), `${what} is still there`).toBe(false)
  expect(
    [...after].filter(key => !known.has(key)),
    `${what}, mended, brings about`,
  ).toEqual([])
  proven.add(one.code)
}

describe('a fix makes its finding go and brings about no other', () => {
  test.each(FLEET_NAMES)('in recorded fleet %s', { timeout: 60_000 }, async name => {
    const fleet = await readRecorded(name)
    const before = await diagnosed(fleet)
    const known = keysOf(before)
    for (const one of mendable(before)) await prove(fleet, one, known)
  })

  const byCode = new Map(CHECKS.map(check => [check.slug, check.code]))
  const codes = new Set(FIXES.map(fix => fix.code))
  const cases = [...CASES, ...OWN_CASES].filter(c => codes.has(byCode.get(c.slug) ?? ''))

  test.each(cases.map(c => [`${c.slug} in ${c.fleet}: ${c.fault}`, c] as const))(
    '%s',
    { timeout: 60_000 },
    async (_, c) => {
      const healthy = await recorded(c.fleet)
      const fleet = patchedFleet(healthy, c.change)
      const before = await diagnosed(fleet)
      const known = new Set([...keysOf(before), ...keysOf(await diagnosed(healthy))])
      const code = byCode.get(c.slug)
      for (const one of mendable(before)) if (one.code === code) await prove(fleet, one, known)
    },
  )

  test('every fix is proven', () => {
    expect(FIXES.map(fix => fix.code).filter(code => !proven.has(code))).toEqual([])
  })
})
