import { clusters } from '../../fleet/joins/clusters.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

export const gocInClusterNamespace: Check = {
  code: 'FLT0218',
  slug: 'goc-in-cluster-namespace',
  title: 'No GitOpsCluster lies in the namespace of a managed cluster',
  severity: 'warning',
  category: 'registration',
  models: ['pull', 'agent'],
  needs: { hub: ['GitOpsCluster', 'ManagedCluster'] },
  docs: {
    why: 'With the GitOps add-on a GitOpsCluster writes its Policy into its own namespace. The policy propagator takes every Policy in the namespace of a managed cluster for a copy and deletes it when it has no original.',
    remedy: 'Move the GitOpsCluster, with its Placement and binding, to the Argo CD namespace.',
    sources: ['push-pull 1.16', 'stolostron/multicloud-integrations:pkg/controller/gitopscluster/argocd_policy.go'],
  },
  *run(fleet) {
    const { byName } = fleet.join(clusters)
    for (const goc of fleet.hub.of('GitOpsCluster').all) {
      const { namespace, name } = goc.meta
      if (!byName.has(namespace)) continue
      yield {
        subject: goc.subject,
        message: `GitOpsCluster "${name}" lies in namespace "${namespace}", which belongs to a managed cluster.`,
        evidence: [
          fact(goc, '.metadata.namespace', namespace),
          fact(goc, '.spec.gitopsAddon.enabled', goc.addonEnabled),
        ],
        effect: 'policies that it writes are deleted again by the policy propagator',
        fix: 'move it to the Argo CD namespace, with its Placement and its ManagedClusterSetBinding',
        breaks: false,
      }
    }
  },
}
