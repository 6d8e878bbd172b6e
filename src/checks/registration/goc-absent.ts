import { clusters } from '../../fleet/joins/clusters.ts'
import { flavour } from '../../fleet/joins/flavour.ts'
import { clusterSecrets, isAcm, registration } from '../../fleet/joins/registration.ts'
import { groupBy } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const gocAbsent: Check = {
  code: 'FLT0211',
  slug: 'goc-absent',
  title: 'Cluster secrets that ACM wrote are kept up by a GitOpsCluster',
  severity: 'warning',
  category: 'registration',
  models: ['push', 'pull'],
  needs: { hub: ['GitOpsCluster', 'Secret'] },
  uses: {
    hub: [
      'Placement',
      'PlacementDecision',
      'ManagedClusterSetBinding',
      'ManagedCluster',
      'CustomResourceDefinition',
      'MulticlusterApplicationSetReport',
    ],
  },
  whole: { hub: ['GitOpsCluster'] },
  docs: {
    why: 'Deleting a GitOpsCluster removes nothing: secrets, ConfigMaps and RBAC stay and everything goes on, until a token expires, a URL changes or a cluster should be added. Nobody then knows why.',
    remedy:
      'Create a GitOpsCluster for the Placement again, or delete the secrets if these clusters should not be served any more.',
    sources: ['push-pull 1.6, 1.14'],
  },
  *run(fleet) {
    if (fleet.join(flavour) !== 'acm') return
    const served = new Set(fleet.join(registration).all.map(r => r.argoNamespace))
    const { byName } = fleet.join(clusters)
    const orphaned = fleet
      .join(clusterSecrets)
      .all.filter(s => isAcm(s) && !served.has(s.meta.namespace) && byName.has(s.cluster.name))
    for (const [namespace, list] of groupBy(orphaned, s => s.meta.namespace)) {
      const first = list[0]
      if (first === undefined) continue
      yield {
        subject: first.subject,
        message: `No GitOpsCluster writes to namespace "${namespace}" any more, but ${list.length} cluster secrets of ACM are there (${names(list.map(s => s.cluster.name))}).`,
        evidence: list.slice(0, 10).map(s => fact(s, '', 'written by ACM, kept up by nobody')),
        effect: 'tokens are not renewed and clusters are neither added nor removed',
        fix: 'create a GitOpsCluster for the Placement of these clusters, or delete the secrets',
      }
    }
  },
}
