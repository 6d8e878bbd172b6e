import { clusters } from '../../fleet/joins/clusters.ts'
import { registration } from '../../fleet/joins/registration.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact } from '../support.ts'

export const placementSelectsHub: Check = {
  code: 'FLT0109',
  slug: 'placement-selects-hub',
  title: 'No Placement of the GitOps add-on selects the hub itself',
  severity: 'error',
  category: 'selection',
  models: ['pull', 'agent'],
  needs: { hub: ['GitOpsCluster', 'Placement', 'PlacementDecision', 'ManagedCluster'] },
  uses: { hub: ['ManagedClusterSetBinding'] },
  docs: {
    why: 'The GitOps add-on must not be installed on the hub. When its Placement selects the hub (label `local-cluster=true`) the controller refuses the whole step, and the GitOpsCluster fails for all clusters.',
    remedy: 'Exclude it: a predicate with matchExpressions key `local-cluster`, operator `NotIn`, values `["true"]`.',
    sources: ['push-pull 1.6, 5 (15)', 'agent-mode 2.7'],
  },
  *run(fleet) {
    const { localName } = fleet.join(clusters)
    if (localName === '') return
    for (const { goc, decided } of fleet.join(registration).all) {
      if (!goc.addonEnabled || decided === undefined || !decided.clusters.has(localName)) continue
      yield {
        subject: decided.placement.subject,
        message: `Placement "${decided.placement.meta.name}" selects the hub itself ("${localName}"), and GitOpsCluster "${goc.meta.name}" installs the GitOps add-on on what it selects.`,
        evidence: [fact(decided.placement, '', `decision holds ${localName}`), conditionFact(goc, 'ArgoCDPolicyReady')],
        effect: 'the GitOpsCluster fails; nothing changes any more for any of its clusters',
        fix: 'add a predicate: matchExpressions [{key: local-cluster, operator: NotIn, values: ["true"]}]',
        through: [goc.subject],
      }
    }
  },
}
