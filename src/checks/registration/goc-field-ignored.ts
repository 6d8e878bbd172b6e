import { clusters } from '../../fleet/joins/clusters.ts'
import type { Check, Evidence } from '../check.ts'
import { fact } from '../support.ts'

export const gocFieldIgnored: Check = {
  code: 'FLT0216',
  slug: 'goc-field-ignored',
  title: 'No GitOpsCluster relies on a field that has no effect',
  severity: 'warning',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['GitOpsCluster', 'ManagedCluster'] },
  docs: {
    why: 'The controller takes the Placement from the namespace of the GitOpsCluster, whatever `placementRef.namespace` says, and always registers in an Argo CD of the hub, whatever `argoServer.cluster` says. Nothing refuses other values.',
    remedy:
      'Move the GitOpsCluster to the namespace of the Placement, or the Placement to it; an Argo CD on another cluster cannot be served.',
    sources: ['push-pull 1.6, 5 (16)'],
  },
  *run(fleet) {
    const { byName, localName } = fleet.join(clusters)
    for (const goc of fleet.hub.of('GitOpsCluster').all) {
      const { namespace, name } = goc.meta
      const evidence: Evidence[] = []
      const said: string[] = []
      const elsewhere = goc.placementRef.namespace
      if (elsewhere !== '' && elsewhere !== namespace) {
        evidence.push(fact(goc, '.spec.placementRef.namespace', elsewhere))
        said.push(`placementRef.namespace "${elsewhere}" (the Placement is taken from "${namespace}")`)
      }
      // Names of the hub are common there; only another managed cluster shows that more was expected.
      if (goc.argoCluster !== localName && byName.has(goc.argoCluster)) {
        evidence.push(fact(goc, '.spec.argoServer.cluster', goc.argoCluster))
        said.push(`argoServer.cluster "${goc.argoCluster}" (clusters are registered on the hub)`)
      }
      if (said.length === 0) continue
      yield {
        subject: goc.subject,
        message: `GitOpsCluster "${name}" in namespace "${namespace}" sets ${said.join(' and ')}, which has no effect.`,
        evidence,
        effect: 'it registers other clusters, or elsewhere, than it seems to say',
        fix: 'remove the field; the Placement must lie in the namespace of the GitOpsCluster',
        breaks: false,
      }
    }
  },
}
