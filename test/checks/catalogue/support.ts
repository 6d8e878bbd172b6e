import { expect, test } from 'vitest'
import type { Check, Severity } from '../../../src/checks/check.ts'
import { CHECKS } from '../../../src/checks/registry.ts'
import { runChecks } from '../../../src/checks/run.ts'
import { subjectText } from '../../../src/fleet/subject.ts'
import { type RawObject, type RecordedFleet, recorded } from '../../support/fleets.ts'
import { type ObjectRef, type Patch, patched } from '../../support/patch.ts'

export const DAY = 24 * 3600 * 1000
export const MINUTE = 60 * 1000

/** A fault that a small change of a recorded fleet makes, and what the check says of it. */
export interface Case {
  readonly slug: string
  /** Recorded fleet in which the check finds nothing as it is. */
  readonly fleet: string
  /** What the change stands for. */
  readonly fault: string
  readonly change: (patch: Patch) => void
  /** As `subjectText` writes it: `namespace/Kind/name on cluster`. */
  readonly subject: string
  readonly severity: Severity
  readonly says: RegExp
}

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
  expect(unknown).toEqual([])
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

function list(raw: RawObject, path: readonly string[]): RawObject[] {
  let at: RawObject = raw
  for (const step of path.slice(0, -1)) {
    const next = at[step]
    if (typeof next !== 'object' || next === null) at[step] = {}
    at = at[step] as RawObject
  }
  const last = path.at(-1) ?? ''
  if (!Array.isArray(at[last])) at[last] = []
  return at[last] as RawObject[]
}

/** Sets a condition of an object, adding it where it has none of that type. */
export function setCondition(patch: Patch, ref: ObjectRef, type: string, fields: RawObject): void {
  const conditions = list(patch.edit(ref), ['status', 'conditions'])
  const at = conditions.findIndex(c => c.type === type)
  const condition = { lastTransitionTime: '2026-11-30T15:00:00Z', ...fields, type }
  if (at < 0) conditions.push(condition)
  else conditions[at] = condition
}

/** Text of a Secret's value, as it is stored. */
export function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}

/** The name of an object of a fleet by the beginning of its reference: generated names are not known beforehand. */
export function refLike(patch: Patch, start: string): ObjectRef {
  for (const { cluster, kind, raw } of patch.objects) {
    const { namespace, name } = raw.metadata as { namespace?: string; name: string }
    const ref = [cluster, kind, namespace, name].filter(part => part !== undefined).join('/')
    if (ref.startsWith(start)) return ref
  }
  throw new Error(`no object begins with ${start}`)
}

/** A copy of an object under another name, with what is to differ. */
export function copyOf(
  patch: Patch,
  ref: ObjectRef,
  name: string,
  change: (raw: RawObject) => void = () => {},
): RawObject {
  const raw = structuredClone(patch.edit(ref))
  const meta = raw.metadata as RawObject
  meta.name = name
  meta.uid = `uid-of-${name}`
  change(raw)
  const [cluster = '', kind = ''] = ref.split('/')
  patch.add(cluster, kind as Parameters<Patch['add']>[1], raw)
  return raw
}
