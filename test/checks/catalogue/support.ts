import { expect, test } from 'vitest'
import type { Check, Severity } from '../../../src/checks/check.ts'
import { CHECKS } from '../../../src/checks/registry.ts'
import { runChecks } from '../../../src/checks/run.ts'
import { subjectText } from '../../../src/fleet/subject.ts'
import { type RecordedFleet, recorded } from '../../support/fleets.ts'
import { patched } from '../../support/patch.ts'
import type { Case } from './case.ts'

export { DAY, MINUTE } from './case.ts'

export interface Seen {
  readonly subject: string
  readonly severity: Severity
  readonly message: string
  readonly fix: string
}

/** What one check finds in a fleet, folded under nothing. */
export async function seenBy(slug: string, fleet: RecordedFleet): Promise<readonly Seen[]> {
  const check = CHECKS.find((c: Check) => c.slug === slug)
  if (check === undefined) throw new Error(`there is no check ${slug}`)
  const loaded = await fleet.load()
  const { found, unknown } = runChecks(loaded.fleet, [check], loaded.lost)
  expect(unknown.filter(u => u.reason.startsWith('the check failed'))).toEqual([])
  return found.map(({ finding }) => ({
    subject: subjectText(finding.subject),
    severity: finding.severity ?? check.severity,
    message: finding.message,
    fix: finding.fix,
  }))
}

/** Tests each case: silent on the fleet as it was recorded, and one finding on the object to blame once it is changed. */
export function holds(cases: readonly Case[]): void {
  test.each(cases)('$slug: $fault', async ({ slug, fleet, change, subject, severity, says }) => {
    expect(await seenBy(slug, await recorded(fleet))).toEqual([])
    const found = await seenBy(slug, await patched(fleet, change))
    expect(found.map(f => [f.subject, f.severity])).toEqual([[subject, severity]])
    expect(found[0]?.message).toMatch(says)
    expect(found[0]?.fix).not.toBe('')
  })
}
