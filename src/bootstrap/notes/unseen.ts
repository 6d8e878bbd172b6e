import { resourceName } from '../../fleet/kinds.ts'
import type { Judged } from '../judge.ts'
import { listed } from '../names.ts'
import { type Notes, warning } from './note.ts'

/** Kinds on which the preview rests: without them it is too short. */
const SEEN_FOR_PREVIEW = [
  'Application',
  'ApplicationSet',
  'Placement',
  'PlacementDecision',
  'GitOpsCluster',
  'Secret',
] as const

/** What could not be read, so that the plan and its preview may be wrong about it. */
export function unseenNotes({ steps, before }: Judged): Notes {
  const unseen = steps.flatMap(step =>
    step.type === 'object' && step.precondition.state === 'unknown'
      ? [`${step.subject.kind} ${step.subject.name}: ${step.precondition.reason}`]
      : [],
  )
  const kinds = SEEN_FOR_PREVIEW.filter(kind => !before.hub.knows(kind)).map(resourceName)
  return [
    ...(unseen.length === 0
      ? []
      : [warning('not-seen', `whether these are there already could not be seen: ${listed(unseen, 3)}`)]),
    ...(kinds.length === 0
      ? []
      : [
          warning(
            'preview-incomplete',
            `${listed(kinds)} could not be read wholly, so what is said to be lost may not be all of it`,
          ),
        ]),
  ]
}
