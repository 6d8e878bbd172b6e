import type { Fix } from '../fix.ts'
import { neverDelete } from './sync-policy.ts'

export const pullPreservesResourcesFix: Fix = {
  code: 'FLT0305',
  does: 'let the controller keep the Applications instead of orphaning their resources',
  risk: 'Applications of clusters that left the Placement stay until somebody deletes them; a deletion by hand then removes the workload too',
  safe: false,
  kinds: ['ApplicationSet'],
  repair(input) {
    return { steps: [neverDelete(input, input.finding.subject, { preserveResourcesOnDeletion: false })] }
  },
}
