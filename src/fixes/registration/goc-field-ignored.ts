import { clusters } from '../../fleet/joins/clusters.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { editPlacementRef } from './placement-ref.ts'

export const gocFieldIgnoredFix: Fix = {
  code: 'FLT0216',
  does: 'say in the ignored fields what counts anyway',
  risk: 'none: the controller does not read them',
  safe: true,
  kinds: ['GitOpsCluster'],
  repair(input) {
    const { finding, fleet } = input
    const { namespace, name } = finding.subject
    const goc = fleet.hub.of('GitOpsCluster').get(namespace, name)
    const { localName } = fleet.join(clusters)
    const steps = []
    const elsewhere = goc?.placementRef.namespace ?? ''
    if (elsewhere !== '' && elsewhere !== namespace)
      steps.push(
        editPlacementRef(
          input,
          finding.subject,
          { namespace },
          'the Placement is taken from this namespace whatever it says',
        ),
      )
    const cluster = goc?.argoCluster ?? ''
    if (cluster !== '' && cluster !== localName)
      steps.push(
        edit(
          input,
          finding.subject,
          { spec: { argoServer: { cluster: localName || 'local-cluster' } } },
          'clusters are registered in an Argo CD of the hub whatever it says',
        ),
      )
    return { steps }
  },
}
