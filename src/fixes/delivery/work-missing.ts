import { applications } from '../../fleet/joins/applications.ts'
import { workName } from '../../fleet/joins/works.ts'
import { trigger } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { TOUCHED } from '../touched.ts'

export const workMissingFix: Fix = {
  code: 'FLT0601',
  does: 'touch the Application so that the propagation controller looks at it again',
  risk: 'none, where the controller runs; nothing happens where it does not',
  safe: true,
  kinds: ['Application'],
  repair(input) {
    const { finding, fleet } = input
    const { namespace: cluster, name } = finding.subject
    const link = fleet.join(applications).all.find(l => l.cluster === cluster && workName(l.app) === name)
    if (link === undefined) return 'its Application is gone'
    const annotations = { [TOUCHED]: new Date(fleet.now).toISOString() }
    return {
      steps: [
        trigger(
          input,
          link.app.subject,
          { metadata: { annotations } },
          'the controller acts when the Application changes',
        ),
      ],
    }
  },
}
