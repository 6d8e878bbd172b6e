import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

function refused({ subject: { kind, namespace, name } }: Finding, fleet: Fleet): string | undefined {
  if (kind !== 'Route')
    return 'the Route was switched off, on purpose or not; agents that come by it need another way first'
  return fleet.hub.of('Route').get(namespace, name)?.admitted === false
    ? 'no router admits the Route; the message of the router says why'
    : undefined
}

export const principalRouteUnusableFix: Fix = {
  code: 'FLT0820',
  does: 'let the Route pass TLS through to the principal',
  risk: 'clients that came by the certificate of the router see that of the principal',
  safe: true,
  kinds: ['Route'],
  hinders: refused,
  repair(input) {
    const why = refused(input.finding, input.fleet)
    if (why !== undefined) return why
    const fields = { spec: { tls: { termination: 'passthrough' } } }
    return {
      steps: [edit(input, input.finding.subject, fields, 'agents and principal show each other their certificates')],
    }
  },
}
