import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const controllerOffFreezesFix: Fix = {
  code: 'FLT0801',
  does: 'switch the application controller of the hub on again',
  risk: 'it also works on Applications of agents whose cluster secrets lack skip-reconcile, and syncs all that waited at once',
  safe: false,
  kinds: ['ArgoCD'],
  repair(input) {
    return {
      steps: [
        edit(
          input,
          input.finding.subject,
          { spec: { controller: { enabled: true } } },
          'principal and controller may run side by side (hybrid)',
        ),
      ],
    }
  },
}
