import { NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { excludeHub } from './exclude-hub.ts'

export const placementSelectsHubFix: Fix = {
  code: 'FLT0109',
  does: 'keep the hub out of the Placement by a predicate',
  risk: 'Applications that this Placement has made for the hub itself are deleted',
  safe: false,
  kinds: ['Placement'],
  repair(input) {
    const step = excludeHub(input, input.finding.subject)
    return step === undefined ? NOT_SEEN : { steps: [step] }
  },
}
