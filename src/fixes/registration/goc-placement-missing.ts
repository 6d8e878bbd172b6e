import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { Subject } from '../../fleet/subject.ts'
import { nearest } from '../../ui/nearest.ts'
import type { Fix } from '../fix.ts'
import { editPlacementRef } from './placement-ref.ts'

const NONE = 'no Placement of nearly this name is there; what the lost one selected, only its author knows'

function meant({ subject: { namespace, name } }: Finding, fleet: Fleet): string | undefined {
  return nearest(
    name,
    fleet.hub
      .of('Placement')
      .in(namespace)
      .map(p => p.meta.name),
  )
}

function usersOf({ subject: { namespace, name } }: Finding, fleet: Fleet): readonly Subject[] {
  return fleet.hub
    .of('GitOpsCluster')
    .in(namespace)
    .filter(goc => goc.placementRef.name === name)
    .map(goc => goc.subject)
}

export const gocPlacementMissingFix: Fix = {
  code: 'FLT0201',
  does: 'name the Placement of the namespace that was most likely meant',
  risk: 'the GitOpsCluster registers the clusters of that Placement',
  safe: false,
  kinds: ['GitOpsCluster'],
  hinders: (finding, fleet) => (meant(finding, fleet) === undefined ? NONE : undefined),
  repair(input) {
    const { finding, fleet } = input
    const name = meant(finding, fleet)
    const users = usersOf(finding, fleet)
    if (name === undefined || users.length === 0) return NONE
    return {
      steps: users.map(goc =>
        editPlacementRef(input, goc, { name }, `Placement ${name} exists, ${finding.subject.name} does not`),
      ),
    }
  },
}
