import { subjectText } from '../../fleet/subject.ts'
import type { Judged } from '../judge.ts'
import { listed } from '../names.ts'
import { type Danger, objectStepsOf } from './danger.ts'

/** Objects that somebody keeps as they are: a change of them would be undone. */
export function gitOpsOwned(judged: Judged): Danger | undefined {
  const owned = objectStepsOf(judged).filter(step => step.action === 'configure' && step.owner !== undefined)
  if (owned.length === 0) return undefined
  return {
    code: 'gitops-owned',
    text: 'objects are kept as they are by somebody who would undo the change; write files for Git with --export DIR instead',
    details: owned.map(step => `${subjectText(step.subject)}: ${step.owner?.text ?? ''}`),
    openable: true,
  }
}

/** Fields that other field managers own and that the plan sets otherwise. */
export function conflicts(judged: Pick<Judged, 'steps'>): Danger | undefined {
  const details = objectStepsOf(judged)
    .filter(step => !step.force)
    .flatMap(step =>
      step.changes
        .filter(change => change.owners.length > 0 && change.change === 'change')
        .map(change => `${subjectText(step.subject)}${change.path} is set by ${listed(change.owners)}`),
    )
  if (details.length === 0) return undefined
  return {
    code: 'conflicts',
    text: 'fields are owned by other field managers; take them over or leave them as they are',
    details,
    openable: true,
    flag: '--force-conflicts',
  }
}
