import type { Subject } from '../../fleet/subject.ts'
import { edit, listOf, NOT_SEEN } from '../edits.ts'
import type { FixInput, Repair } from '../fix.ts'
import { permitting, usesOf } from './project-uses.ts'

/** Adds to a project of the hub what its Applications use. */
export function extendProject(input: FixInput, project: Subject): Repair | string {
  const repositories = listOf(input, project, 'spec', 'sourceRepos')
  const destinations = listOf(input, project, 'spec', 'destinations')
  if (repositories === undefined || destinations === undefined) return NOT_SEEN
  const uses = usesOf(input.fleet, project.namespace, project.name)
  const spec = permitting(uses, { repositories, destinations })
  return { steps: [edit(input, project, { spec }, 'what Applications of this project use, and no more')] }
}
