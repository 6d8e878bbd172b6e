import type { Severity } from '../../../src/checks/check.ts'
import type { RawObject } from '../../support/fleets.ts'
import type { ObjectRef, Patch } from '../../support/patch.ts'

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
