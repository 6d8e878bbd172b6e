import type { Fix } from '../fix.ts'
import { editPlacementRef } from './placement-ref.ts'

export const gocReferenceOldFix: Fix = {
  code: 'FLT0217',
  does: 'write the API version of Placement that exists into the placementRef',
  risk: 'none: the controller looks at group and name alone',
  safe: true,
  kinds: ['GitOpsCluster'],
  repair(input) {
    return {
      steps: [
        editPlacementRef(
          input,
          input.finding.subject,
          { apiVersion: input.version('Placement') },
          'the only version of Placement that is served',
        ),
      ],
    }
  },
}
