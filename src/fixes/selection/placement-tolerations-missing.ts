import { NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { tolerateOutages } from './tolerations.ts'

export const placementTolerationsMissingFix: Fix = {
  code: 'FLT0108',
  does: 'add the two tolerations for outages to the Placement',
  risk: 'clusters that are unreachable now stay in, or come back into, the selection',
  safe: true,
  kinds: ['Placement'],
  repair(input) {
    const step = tolerateOutages(input, input.finding.subject)
    return step === undefined ? NOT_SEEN : { steps: [step] }
  },
}
