import type { Subject } from '../../fleet/subject.ts'
import { NOT_THE_HUB } from '../../plan/manifests/placement.ts'
import { isObject, type RawObject, valueAt } from '../../raw.ts'
import { edit, listOf } from '../edits.ts'
import type { FixInput, FixStep } from '../fix.ts'

/** One predicate with the hub taken out, whatever else it asks for. */
function withoutHub(predicate: RawObject): RawObject {
  const required = isObject(predicate.requiredClusterSelector) ? predicate.requiredClusterSelector : {}
  const labelSelector = isObject(required.labelSelector) ? required.labelSelector : {}
  const expressions = valueAt(labelSelector, 'matchExpressions')
  const matchExpressions = [...(Array.isArray(expressions) ? expressions : []), { ...NOT_THE_HUB }]
  return {
    ...predicate,
    requiredClusterSelector: { ...required, labelSelector: { ...labelSelector, matchExpressions } },
  }
}

/** Takes the hub out of the selection of a Placement; undefined where the Placement was not seen. */
export function excludeHub(input: FixInput, placement: Subject): FixStep | undefined {
  const there = listOf(input, placement, 'spec', 'predicates')
  if (there === undefined) return undefined
  const predicates = (there.length === 0 ? [{}] : there).map(p => withoutHub(isObject(p) ? p : {}))
  return edit(input, placement, { spec: { predicates } }, 'the hub carries the label local-cluster=true')
}
