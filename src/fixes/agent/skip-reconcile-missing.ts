import { SKIP_RECONCILE } from '../../fleet/labels.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const skipReconcileMissingFix: Fix = {
  code: 'FLT0809',
  does: 'annotate the cluster secret of the agent with skip-reconcile',
  risk: 'none: the controller of the hub leaves to the agent what is its own',
  safe: true,
  kinds: ['Secret'],
  repair(input) {
    const annotations = { [SKIP_RECONCILE]: 'true' }
    return {
      steps: [
        edit(
          input,
          input.finding.subject,
          { metadata: { annotations } },
          'keeps the controller of the hub off the cluster of an agent',
        ),
      ],
    }
  },
}
