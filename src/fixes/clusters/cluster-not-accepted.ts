import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

function accepted(finding: Finding, fleet: Fleet): string | undefined {
  const { name } = finding.subject
  return fleet.hub.of('ManagedCluster').get('', name)?.accepted === true
    ? `${name} is accepted already, and the hub could not do it; its condition says why`
    : undefined
}

export const clusterNotAcceptedFix: Fix = {
  code: 'FLT0001',
  does: 'accept the ManagedCluster',
  risk: 'whoever runs its agent gets the rights of a managed cluster on this hub; accept only a cluster that you know',
  safe: false,
  kinds: ['ManagedCluster'],
  hinders: accepted,
  repair(input) {
    return {
      steps: [
        edit(
          input,
          input.finding.subject,
          { spec: { hubAcceptsClient: true } },
          'its agents get their rights on the hub',
        ),
      ],
      afterwards: `approve its certificate request if that still waits (oc get csr -l open-cluster-management.io/cluster-name=${input.finding.subject.name})`,
    }
  },
}
