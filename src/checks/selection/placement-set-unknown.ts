import { inputsOf } from '../../fleet/fleet.ts'
import { placementUsers } from '../../fleet/joins/placement-users.ts'
import { placements } from '../../fleet/joins/placements.ts'
import { placementKey } from '../../fleet/joins/selection.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const placementSetUnknown: Check = {
  code: 'FLT0106',
  slug: 'placement-set-unknown',
  title: 'Every Placement asks for cluster sets that exist',
  severity: 'warning',
  category: 'selection',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Placement', 'ManagedClusterSet'] },
  uses: inputsOf({ hub: ['ManagedCluster', 'ManagedClusterSetBinding'] }, placementUsers),
  whole: { hub: ['ManagedClusterSet'] },
  docs: {
    why: 'A set that does not exist selects nothing; nothing rejects its name in a Placement. The condition only says that no valid binding, or no intersection, was found.',
    remedy: 'Correct `.spec.clusterSets` of the Placement, or create the set and bind it.',
    sources: ['push-pull 1.3, 1.4'],
  },
  *run(fleet) {
    const users = fleet.join(placementUsers)
    for (const placement of fleet.hub.of('Placement').all) {
      const { namespace, name } = placement.meta
      const explained = fleet.join(placements).explain(namespace, name)
      if (explained === undefined || explained.unknownSets.length === 0) continue
      const none = explained.eligibleSets.length === 0
      const used = users.has(placementKey(namespace, name))
      yield {
        subject: placement.subject,
        severity: none && used ? 'error' : 'warning',
        message: `Placement "${name}" in namespace "${namespace}" asks for ManagedClusterSet ${names(explained.unknownSets.map(s => `"${s}"`))}, which does not exist.`,
        evidence: [fact(placement, '.spec.clusterSets', names(placement.clusterSets))],
        effect: none ? 'it selects no cluster' : 'it selects fewer clusters than it asks for',
        fix: `correct spec.clusterSets (existing sets: ${names(fleet.hub.of('ManagedClusterSet').all.map(s => s.meta.name))})`,
      }
    }
  },
}
