import { type Fleet, inputsOf } from '../../fleet/fleet.ts'
import { clusters } from '../../fleet/joins/clusters.ts'
import { placementUsers } from '../../fleet/joins/placement-users.ts'
import { placements } from '../../fleet/joins/placements.ts'
import { placementKey, selection } from '../../fleet/joins/selection.ts'
import { isExclusive, membersOf } from '../../fleet/placement/sets.ts'
import type { Base } from '../../fleet/records.ts'
import { missing, subject } from '../../fleet/subject.ts'
import { nearest } from '../../ui/nearest.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact, manifestFix, names } from '../support.ts'

/** The clusters that the set would add, where their labels tell; other clusters of the Placement are not touched. */
function addedBy(fleet: Fleet, name: string): { readonly clusters?: readonly string[] } {
  const set = fleet.hub.of('ManagedClusterSet').get('', name)
  if (set === undefined || !isExclusive(set)) return {}
  return { clusters: membersOf(set, fleet.join(clusters).remote).map(c => c.meta.name) }
}

/** What an empty decision does to those that take their clusters from it. */
function effectOn(users: readonly Base[]): string {
  if (users.some(user => user.subject.kind === 'ApplicationSet')) {
    return 'ApplicationSets delete their Applications without an error'
  }
  return users.length > 0
    ? 'the GitOpsCluster is Ready with 0 clusters'
    : 'no ApplicationSet and no GitOpsCluster is seen to use it'
}

export const clustersetBindingMissing: Check = {
  code: 'FLT0102',
  slug: 'clusterset-binding-missing',
  title: 'Every cluster set that a Placement asks for is bound to its namespace',
  severity: 'error',
  category: 'selection',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Placement', 'ManagedClusterSetBinding', 'ManagedClusterSet'] },
  uses: inputsOf({ hub: ['ManagedCluster', 'PlacementDecision'] }, placementUsers),
  whole: { hub: ['ManagedClusterSetBinding', 'ManagedClusterSet'] },
  docs: {
    why: 'A Placement may only select clusters of sets that are bound to its own namespace. Without the binding its decision is emptied within a second, the ApplicationSets delete their Applications at the next reconcile, and everything but the Placement looks healthy: the GitOpsCluster is Ready with 0 clusters, the ApplicationSets are green, the reports keep their last Healthy entries. The reason in the condition depends on the order of events, so it is computed here.',
    remedy:
      'Create the ManagedClusterSetBinding in the namespace of the Placement, with the name of the set (needs `managedclustersets/bind` for it).',
    sources: ['push-pull 1.3, 1.4', 'seen on running controllers: 1.3/1.4'],
  },
  *run(fleet) {
    const { byPlacement, bindingsIn } = fleet.join(selection)
    const users = fleet.join(placementUsers)
    for (const { placement } of byPlacement.values()) {
      const { namespace, name } = placement.meta
      const explained = fleet.join(placements).explain(namespace, name)
      if (explained === undefined || explained.unboundSets.length === 0) continue
      const none = explained.eligibleSets.length === 0
      const bound = bindingsIn.get(namespace) ?? []
      for (const set of explained.unboundSets) {
        yield {
          subject: missing(subject('hub', 'ManagedClusterSetBinding', namespace, set)),
          severity: none ? 'error' : 'warning',
          message: `Placement "${name}" asks for ManagedClusterSet "${set}", which is not bound to namespace "${namespace}".`,
          evidence: [
            fact(placement, '.spec.clusterSets', names(placement.clusterSets)),
            fact(placement, '', `bindings in ${namespace}: ${names(bound.map(b => b.meta.name))}`),
            conditionFact(placement, 'PlacementSatisfied'),
          ],
          effect: none
            ? `the Placement selects no cluster; ${effectOn(users.get(placementKey(namespace, name)) ?? [])}`
            : `clusters of ${set} are not selected`,
          fix: manifestFix([
            'apiVersion: cluster.open-cluster-management.io/v1beta2',
            'kind: ManagedClusterSetBinding',
            'metadata:',
            `  name: ${set}`,
            `  namespace: ${namespace}`,
            'spec:',
            `  clusterSet: ${set}`,
          ]),
          // A binding of a set that does not exist and has nearly this name is most likely this one, misspelt.
          because: explained.danglingBindings
            .filter(b => nearest(b, [set]) !== undefined)
            .map(b => ({ subject: subject('hub', 'ManagedClusterSetBinding', namespace, b), codes: ['FLT0101'] })),
          through: [placement.subject],
          ...addedBy(fleet, set),
        }
      }
    }
  },
}
