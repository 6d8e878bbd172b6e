import { clusters } from '../../fleet/joins/clusters.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

/** Argo CD brings a cluster of this name itself: that on which it runs (argo-cd util/db/cluster.go). */
const RESERVED = 'in-cluster'

export const clusterNameReserved: Check = {
  code: 'FLT0009',
  slug: 'cluster-name-reserved',
  title: 'No managed cluster has the name that Argo CD gives to its own cluster',
  severity: 'warning',
  category: 'clusters',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedCluster'] },
  docs: {
    why: 'Argo CD adds a cluster called `in-cluster` to every list: the one on which it runs. A managed cluster of that name is matched with it by the generator of an ApplicationSet, so that its Applications land on the hub.',
    remedy: 'Import the cluster under another name; a ManagedCluster cannot be renamed.',
    sources: ['push-pull 1.7'],
  },
  *run(fleet) {
    const cluster = fleet.join(clusters).byName.get(RESERVED)
    if (cluster === undefined) return
    yield {
      subject: cluster.subject,
      message: `ManagedCluster "${RESERVED}" has the name that Argo CD gives to the cluster on which it runs.`,
      evidence: [fact(cluster, '.metadata.name', RESERVED)],
      effect: 'Applications that are generated for it are deployed to the hub',
      fix: 'detach the cluster and import it under another name',
      clusters: [RESERVED],
      breaks: false,
    }
  },
}
