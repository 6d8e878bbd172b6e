import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { Fix } from '../fix.ts'
import { editPlacementRef } from './placement-ref.ts'

/** The reference must name a Placement that is there: a rule of another kind may bear the same field. */
function noName({ subject: { namespace, name } }: Finding, fleet: Fleet): string | undefined {
  const placement = fleet.hub.of('GitOpsCluster').get(namespace, name)?.placementRef.name ?? ''
  if (placement === '') return 'the reference names no Placement'
  return fleet.hub.of('Placement').get(namespace, placement) === undefined
    ? `there is no Placement ${namespace}/${placement}`
    : undefined
}

export const gocPlacementRefInvalidFix: Fix = {
  code: 'FLT0202',
  does: 'spell kind and API version of the placementRef as the controller wants them',
  risk: 'the GitOpsCluster registers the clusters of that Placement',
  safe: true,
  kinds: ['GitOpsCluster'],
  hinders: noName,
  repair(input) {
    const why = noName(input.finding, input.fleet)
    if (why !== undefined) return why
    const fields = { kind: 'Placement', apiVersion: input.version('Placement') }
    return {
      steps: [
        editPlacementRef(input, input.finding.subject, fields, 'the controller accepts this kind and version only'),
      ],
    }
  },
}
