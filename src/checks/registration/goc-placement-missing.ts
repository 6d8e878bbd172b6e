import { registration, validPlacementRef } from '../../fleet/joins/registration.ts'
import { missing, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact, names } from '../support.ts'

export const gocPlacementMissing: Check = {
  code: 'FLT0201',
  slug: 'goc-placement-missing',
  title: 'Every GitOpsCluster refers to a Placement of its own namespace',
  severity: 'error',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['GitOpsCluster', 'Placement'] },
  uses: { hub: ['PlacementDecision', 'ManagedClusterSetBinding'] },
  whole: { hub: ['Placement'] },
  docs: {
    why: 'The Placement is looked up in the namespace of the GitOpsCluster, whatever `placementRef.namespace` says. When it is not there the GitOpsCluster fails as a whole; secrets and Applications that exist stay, so the fault shows only when a cluster, a token or a URL changes. ApplicationSets on a Placement that was deleted keep their Applications and report an error.',
    remedy: 'Create the Placement (again), or correct `spec.placementRef.name`.',
    sources: ['push-pull 1.4, 1.6'],
  },
  *run(fleet) {
    for (const { goc } of fleet.join(registration).all) {
      const { namespace } = goc.meta
      const { name } = goc.placementRef
      if (!validPlacementRef(goc) || fleet.hub.of('Placement').get(namespace, name) !== undefined) continue
      const there = fleet.hub
        .of('Placement')
        .in(namespace)
        .map(p => p.meta.name)
      const elsewhere = fleet.hub
        .of('Placement')
        .all.filter(p => p.meta.name === name)
        .map(p => p.meta.namespace)
      yield {
        subject: missing(subject('hub', 'Placement', namespace, name)),
        message: `GitOpsCluster "${goc.meta.name}" refers to Placement "${name}", which does not exist in namespace "${namespace}".`,
        evidence: [
          fact(goc, '.spec.placementRef.name', name),
          conditionFact(goc, 'PlacementResolved'),
          fact(goc, '', `Placements in ${namespace}: ${names(there)}`),
        ],
        effect: 'the GitOpsCluster is not Ready: no cluster is added, no token renewed, although what exists goes on',
        fix:
          elsewhere.length > 0
            ? `create the Placement in ${namespace} (one of this name is in ${names(elsewhere)})`
            : `create Placement ${namespace}/${name}${there.length > 0 ? `, or set spec.placementRef.name to one of: ${names(there)}` : ''}`,
        through: [goc.subject],
      }
    }
  },
}
