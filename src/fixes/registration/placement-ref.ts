import type { Subject } from '../../fleet/subject.ts'
import { isObject, valueAt } from '../../raw.ts'
import { edit } from '../edits.ts'
import type { FixInput, FixStep } from '../fix.ts'

/** Changes fields of a placementRef, which the API takes as one value; what else stands in it stays. */
export function editPlacementRef(
  input: FixInput,
  goc: Subject,
  fields: Readonly<Record<string, string>>,
  why: string,
): FixStep {
  const there = valueAt(input.object(goc), 'spec', 'placementRef')
  const placementRef = { ...(isObject(there) ? there : {}), ...fields }
  return edit(input, goc, { spec: { placementRef } }, why)
}
