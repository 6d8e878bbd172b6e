import type { Subject } from '../../fleet/subject.ts'
import { TOLERATIONS } from '../../plan/manifests/placement.ts'
import { textAt, valueAt } from '../../raw.ts'
import { edit, listOf } from '../edits.ts'
import type { FixInput, FixStep } from '../fix.ts'

/** Adds to a Placement the tolerations by which a cluster survives an outage; undefined where the Placement was not seen. */
export function tolerateOutages(input: FixInput, placement: Subject): FixStep | undefined {
  const there = listOf(input, placement, 'spec', 'tolerations')
  if (there === undefined) return undefined
  const covers = (key: string | undefined): boolean =>
    there.some(
      t =>
        textAt(t, 'operator') === 'Exists' &&
        ['', key].includes(textAt(t, 'key')) &&
        ['', 'NoSelect'].includes(textAt(t, 'effect')) &&
        valueAt(t, 'tolerationSeconds') === undefined,
    )
  const lacking = TOLERATIONS.filter(({ key }) => !covers(key)).map(t => ({ ...t }))
  return edit(
    input,
    placement,
    { spec: { tolerations: [...there, ...lacking] } },
    'a cluster that is silent for a while stays selected and keeps its Applications',
  )
}
