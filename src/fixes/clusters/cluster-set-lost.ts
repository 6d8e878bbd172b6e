import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { clusterSecrets, isAcm, registration } from '../../fleet/joins/registration.ts'
import { selection } from '../../fleet/joins/selection.ts'
import { CLUSTER_SET_LABEL } from '../../fleet/labels.ts'
import { isExclusive } from '../../fleet/placement/sets.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

const NO_SET = 'nothing tells for certain which set the cluster was in'

/** Exclusive sets of the Placements that register clusters where a secret of this cluster was left. */
function formerSets(finding: Finding, fleet: Fleet): readonly string[] {
  const left = fleet.join(clusterSecrets).all.filter(s => isAcm(s) && s.cluster.name === finding.subject.name)
  const places = new Set(left.map(s => s.meta.namespace))
  const { bindingsIn } = fleet.join(selection)
  const asked = fleet.join(registration).all.flatMap(r => {
    if (!places.has(r.argoNamespace) || r.decided === undefined) return []
    const { placement } = r.decided
    if (placement.clusterSets.length > 0) return placement.clusterSets
    return (bindingsIn.get(placement.meta.namespace) ?? []).map(b => b.meta.name)
  })
  const sets = fleet.hub.of('ManagedClusterSet')
  return [...new Set(asked)].filter(name => {
    const set = sets.get('', name)
    return set !== undefined && isExclusive(set)
  })
}

export const clusterSetLostFix: Fix = {
  code: 'FLT0005',
  does: 'put the cluster back into the only set that its registration came from',
  risk: 'what the set is delivered arrives on the cluster again, and a cluster that was taken out on purpose is back in',
  safe: false,
  kinds: ['ManagedCluster'],
  hinders: (finding, fleet) => (formerSets(finding, fleet).length === 1 ? undefined : NO_SET),
  repair(input) {
    const { finding, fleet } = input
    const [set] = formerSets(finding, fleet)
    if (set === undefined) return NO_SET
    return {
      steps: [
        edit(
          input,
          finding.subject,
          { metadata: { labels: { [CLUSTER_SET_LABEL]: set } } },
          `Placements of set ${set} select it again`,
        ),
      ],
    }
  },
}
