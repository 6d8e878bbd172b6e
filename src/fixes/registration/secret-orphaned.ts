import { clusters } from '../../fleet/joins/clusters.ts'
import { clusterSecrets, isAcm, isAgentSecret } from '../../fleet/joins/registration.ts'
import { decidedAnywhere } from '../../fleet/joins/selection.ts'
import type { Fix } from '../fix.ts'

export const secretOrphanedFix: Fix = {
  code: 'FLT0219',
  does: 'delete the cluster secrets of clusters that are not managed',
  risk: 'their credentials are gone for good; a cluster that is imported again gets new ones',
  safe: false,
  inGit: false,
  kinds: ['Secret', 'PlacementDecision'],
  repair(input) {
    const { finding, fleet } = input
    const decided = decidedAnywhere(fleet)
    const { byName } = fleet.join(clusters)
    const orphans = fleet.join(clusterSecrets).all.filter(
      s =>
        s.meta.namespace === finding.subject.namespace &&
        (isAcm(s) || isAgentSecret(s)) &&
        s.cluster.name !== '' &&
        !byName.has(s.cluster.name) &&
        // An ApplicationSet would take its Applications away with the secret.
        !decided.has(s.cluster.name),
    )
    if (orphans.length === 0) return 'a Placement still lists these clusters; its decision must change first'
    return {
      steps: orphans.map(s => ({ does: 'delete', subject: s.subject, why: `${s.cluster.name} is no managed cluster` })),
    }
  },
}
