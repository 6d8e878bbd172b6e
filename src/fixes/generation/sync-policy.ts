import type { Subject } from '../../fleet/subject.ts'
import { edit } from '../edits.ts'
import type { FixInput, FixStep } from '../fix.ts'

/** Keeps an ApplicationSet from deleting Applications, whatever its generator yields. */
export function neverDelete(input: FixInput, appSet: Subject, more: Readonly<Record<string, unknown>> = {}): FixStep {
  return edit(
    input,
    appSet,
    { spec: { syncPolicy: { applicationsSync: 'create-update', ...more } } },
    'the controller makes and changes Applications and deletes none',
  )
}
