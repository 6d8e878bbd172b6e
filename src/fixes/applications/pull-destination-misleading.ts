import { IN_CLUSTER_SERVER } from '../../fleet/joins/applications.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const pullDestinationMisleadingFix: Fix = {
  code: 'FLT0410',
  does: 'say in the template that the Applications deploy in place',
  risk: 'none: what is delivered has this destination already',
  safe: true,
  kinds: ['ApplicationSet'],
  repair(input) {
    const { namespace, name } = input.finding.subject
    const named = input.fleet.hub.of('ApplicationSet').get(namespace, name)?.template.destination.name ?? ''
    // Server and name exclude each other; an empty one counts as none.
    const destination = { server: IN_CLUSTER_SERVER, ...(named === '' ? {} : { name: '' }) }
    return {
      steps: [
        edit(
          input,
          input.finding.subject,
          { spec: { template: { spec: { destination } } } },
          'what every cluster makes of it anyway',
        ),
      ],
    }
  },
}
