import { SCHEDULING_DISABLED } from '../../fleet/labels.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const placementSchedulingDisabledFix: Fix = {
  code: 'FLT0104',
  does: 'switch the scheduling of the Placement on again',
  risk: 'the decision follows the clusters as they are now, all at once: Applications come and go',
  safe: false,
  kinds: ['Placement'],
  repair(input) {
    const annotations = { [SCHEDULING_DISABLED]: 'false' }
    return { steps: [edit(input, input.finding.subject, { metadata: { annotations } }, 'only "true" switches it off')] }
  },
}
