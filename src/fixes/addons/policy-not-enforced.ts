import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const policyNotEnforcedFix: Fix = {
  code: 'FLT0908',
  does: 'enforce the Policy',
  risk: 'what the Policy describes is put on all of its clusters, over what was changed there in the meantime',
  safe: false,
  kinds: ['Policy'],
  repair(input) {
    return {
      steps: [
        edit(
          input,
          input.finding.subject,
          { spec: { disabled: false, remediationAction: 'enforce' } },
          'it only reports, or does nothing, as it is',
        ),
      ],
    }
  },
}
