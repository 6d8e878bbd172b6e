import { registration } from '../../fleet/joins/registration.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact } from '../support.ts'

export const gocRegistersNothing: Check = {
  code: 'FLT0210',
  slug: 'goc-registers-nothing',
  title: 'Every GitOpsCluster registers at least one cluster',
  severity: 'error',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['GitOpsCluster', 'Placement', 'PlacementDecision'] },
  uses: { hub: ['ManagedClusterSetBinding', 'ManagedClusterSet'] },
  whole: { hub: ['PlacementDecision'] },
  docs: {
    why: 'Zero clusters count as success: the GitOpsCluster is Ready with "resolved 0 managed clusters". Nothing warns that its Placement selects nothing.',
    remedy: 'Mend the Placement; see its own finding.',
    sources: ['push-pull 1.6'],
  },
  *run(fleet) {
    for (const { goc, decided } of fleet.join(registration).all) {
      if (decided === undefined || decided.clusters.size > 0) continue
      const { placement } = decided
      yield {
        subject: goc.subject,
        message: `GitOpsCluster "${goc.meta.name}" registers no cluster, because Placement "${placement.meta.name}" selects none.`,
        evidence: [conditionFact(goc, 'Ready'), fact(goc, '.status.message', goc.message)],
        effect: 'no cluster is added to Argo CD; secrets of earlier clusters stay without care',
        fix: `mend Placement ${placement.meta.namespace}/${placement.meta.name}`,
        because: [{ subject: placement.subject }],
      }
    }
  },
}
