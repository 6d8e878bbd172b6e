import type { Fix } from '../fix.ts'
import { neverDelete } from './sync-policy.ts'

export const appsetDeletesAtRequeueFix: Fix = {
  code: 'FLT0311',
  does: 'keep the ApplicationSet from deleting Applications',
  risk: 'Applications of clusters that left the Placement stay until somebody deletes them',
  safe: false,
  kinds: ['ApplicationSet'],
  repair(input) {
    return {
      steps: [neverDelete(input, input.finding.subject)],
      afterwards:
        'mend the Placement or the cluster secret, or delete the Applications by hand if they are not wanted any more',
    }
  },
}
