import type { Gate, ObjectStep } from '../../plan/plan.ts'
import type { Judged } from '../judge.ts'

/** A gate before it is known whether the user has accepted it. */
export type Danger = Omit<Gate, 'accepted' | 'flag'> & {
  /** False for one that no flag opens: what is asked for cannot work. */
  readonly openable: boolean
  readonly flag?: string
}

/** Steps of the plan that are about objects. */
export const objectStepsOf = ({ steps }: Pick<Judged, 'steps'>): readonly ObjectStep[] =>
  steps.filter(step => step.type === 'object')
