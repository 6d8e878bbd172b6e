import type { Fleet } from '../../fleet/fleet.ts'
import { clusters } from '../../fleet/joins/clusters.ts'
import {
  type ClusterSecret,
  clusterSecrets,
  isAcm,
  registration,
  registrationKey,
} from '../../fleet/joins/registration.ts'
import { decidedAnywhere } from '../../fleet/joins/selection.ts'
import { CLUSTER_SET_LABEL } from '../../fleet/labels.ts'
import { groupBy } from '../../fleet/maps.ts'
import { compileSelector } from '../../fleet/placement/selector.ts'
import type { StringMap } from '../../fleet/records.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

/** Secrets that ACM wrote for a cluster when it was selected, and that no GitOpsCluster would write now, by cluster. */
function leftSecrets(fleet: Fleet): ReadonlyMap<string, readonly ClusterSecret[]> {
  const { of } = fleet.join(registration)
  const left = fleet
    .join(clusterSecrets)
    .all.filter(s => isAcm(s) && !of.has(registrationKey(s.meta.namespace, s.cluster.name)))
  return groupBy(left, s => s.cluster.name)
}

/** The cluster sets that take their clusters by a selector, the one that takes all left out. */
function selectorSets(fleet: Fleet): readonly ((labels: StringMap) => boolean)[] {
  return fleet.hub
    .of('ManagedClusterSet')
    .all.filter(s => s.selectorType === 'LabelSelector' && s.meta.name !== 'global' && s.labelSelector !== undefined)
    .map(s => compileSelector(s.labelSelector))
}

export const clusterSetLost: Check = {
  code: 'FLT0005',
  slug: 'cluster-set-lost',
  title: 'Every managed cluster is in a cluster set that exists',
  severity: 'warning',
  category: 'clusters',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedCluster', 'ManagedClusterSet'] },
  uses: { hub: ['GitOpsCluster', 'Placement', 'PlacementDecision', 'ManagedClusterSetBinding', 'Secret'] },
  whole: { hub: ['ManagedClusterSet'] },
  docs: {
    why: 'A cluster belongs to an exclusive set by its label `cluster.open-cluster-management.io/clusterset`. Without the label, or with the name of a set that does not exist, no Placement of that set selects it. When the label is lost later the cluster leaves the decision within seconds and the ApplicationSets delete its Applications, while every condition stays True because the other clusters are still selected.',
    remedy:
      'Put the label back: `oc label managedcluster NAME cluster.open-cluster-management.io/clusterset=SET --overwrite` (needs `managedclustersets/join` for the set), or create the set that it names.',
    sources: ['push-pull 1.1, 1.2, 1.4'],
  },
  *run(fleet) {
    const sets = fleet.hub.of('ManagedClusterSet')
    const decided = decidedAnywhere(fleet)
    const leftBy = leftSecrets(fleet)
    const bySelector = selectorSets(fleet)
    for (const cluster of fleet.join(clusters).remote) {
      const { name, labels } = cluster.meta
      const label = labels[CLUSTER_SET_LABEL]
      if (label !== undefined && sets.get('', label) !== undefined) continue
      if (label === undefined && (bySelector.some(matches => matches(labels)) || decided.has(name))) continue
      const left = leftBy.get(name) ?? []
      const lost = left.length > 0 && cluster.meta.deleting === undefined
      yield {
        subject: cluster.subject,
        severity: lost ? 'error' : 'warning',
        message: `ManagedCluster "${name}" ${label === undefined ? 'carries no cluster set label' : `names cluster set "${label}", which does not exist`}${lost ? ', although it was registered in Argo CD before' : ''}.`,
        evidence: [
          fact(cluster, `.metadata.labels[${CLUSTER_SET_LABEL}]`, label ?? 'absent'),
          ...left.map(s => fact(s, '', 'cluster secret is left from the time when the cluster was selected')),
        ],
        effect:
          'no Placement of an exclusive cluster set selects it; ApplicationSets delete its Applications at their next reconcile, without an error',
        fix:
          label === undefined
            ? `oc label managedcluster ${name} ${CLUSTER_SET_LABEL}=<set>`
            : `create ManagedClusterSet ${label}, or: oc label managedcluster ${name} ${CLUSTER_SET_LABEL}=<set> --overwrite`,
        clusters: [name],
      }
    }
  },
}
