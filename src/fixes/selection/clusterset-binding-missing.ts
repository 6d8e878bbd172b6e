import { managedClusterSetBinding } from '../../plan/manifests/cluster-set.ts'
import { write } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const clustersetBindingMissingFix: Fix = {
  code: 'FLT0102',
  does: 'bind the set to the namespace of the Placement',
  risk: 'Placements of the namespace select the clusters of the set; Applications are made for them',
  safe: true,
  kinds: ['ManagedClusterSetBinding'],
  repair(input) {
    const { namespace, name } = input.finding.subject
    return {
      steps: [
        write(
          managedClusterSetBinding(input.version, namespace, name),
          `lets Placements in ${namespace} select clusters of set ${name}`,
        ),
      ],
    }
  },
}
