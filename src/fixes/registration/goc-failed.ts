import type { Finding } from '../../checks/check.ts'
import { failedConditions } from '../../checks/registration/goc-support.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { registration } from '../../fleet/joins/registration.ts'
import { placementKey } from '../../fleet/joins/selection.ts'
import type { ArgoCD } from '../../fleet/records.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

const OTHER = 'what its condition names is mended where it is; only an address that is not found can be given here'

/** The ArgoCD whose principal has no address that the controller could find, and no Route either (agent-mode.md 2.7). */
function unreachable({ subject: { namespace, name } }: Finding, fleet: Fleet): ArgoCD | undefined {
  const registrar = fleet.join(registration).byKey.get(placementKey(namespace, name))
  const told = registrar === undefined ? [] : failedConditions(registrar.goc)
  if (
    !told.some(c => c.type === 'ArgoCDAgentPrereqsReady' && /failed to discover .*principal endpoint/.test(c.message))
  )
    return undefined
  return fleet.hub
    .of('ArgoCD')
    .in(registrar?.argoNamespace ?? '')
    .find(argo => argo.principal?.enabled === true && argo.principal.routeEnabled !== true)
}

export const gocFailedFix: Fix = {
  code: 'FLT0205',
  does: 'let the principal be reached by a Route',
  risk: 'the principal can be reached from wherever the Route can be; it lets in only who has a certificate of the hub',
  safe: false,
  kinds: ['ArgoCD'],
  hinders: (finding, fleet) => (unreachable(finding, fleet) === undefined ? OTHER : undefined),
  repair(input) {
    const argo = unreachable(input.finding, input.fleet)
    if (argo === undefined) return OTHER
    const fields = { spec: { argoCDAgent: { principal: { server: { route: { enabled: true } } } } } }
    return {
      steps: [
        edit(input, argo.subject, fields, 'the GitOpsCluster controller looks for the address of the principal there'),
      ],
    }
  },
}
