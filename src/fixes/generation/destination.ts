import type { Subject } from '../../fleet/subject.ts'
import { edit } from '../edits.ts'
import type { FixInput, FixStep } from '../fix.ts'

/** Lets an Application, or those of an ApplicationSet, name their cluster; an empty server counts as none. */
export function destinationByName(input: FixInput, of: Subject, name: string, why: string): FixStep {
  const spec = { destination: { name, server: '' } }
  return edit(input, of, of.kind === 'ApplicationSet' ? { spec: { template: { spec } } } : { spec }, why)
}
