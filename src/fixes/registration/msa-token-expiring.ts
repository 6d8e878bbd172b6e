import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

function rotates({ subject: { namespace, name } }: Finding, fleet: Fleet): string | undefined {
  return fleet.hub.of('ManagedServiceAccount').get(namespace, name)?.rotationEnabled === true
    ? `rotation is on; the agent of the add-on on ${namespace} does not do it`
    : undefined
}

export const msaTokenExpiringFix: Fix = {
  code: 'FLT0220',
  does: 'switch the rotation of the token on',
  risk: 'none: the agent renews the token at 80 % of its life',
  safe: true,
  kinds: ['ManagedServiceAccount'],
  hinders: rotates,
  repair(input) {
    return {
      steps: [
        edit(
          input,
          input.finding.subject,
          { spec: { rotation: { enabled: true } } },
          'the agent renews it before it expires',
        ),
      ],
    }
  },
}
