import { CLUSTER_SET_LABEL } from '../../fleet/labels.ts'
import type { Manifest } from '../object.ts'
import type { ApiVersionOf } from './served.ts'

/** A set that clusters join by label, the default type: each cluster is in one such set at a time (push-pull.md 1.2). */
export function managedClusterSet(version: ApiVersionOf, name: string): Manifest {
  return {
    apiVersion: version('ManagedClusterSet'),
    kind: 'ManagedClusterSet',
    metadata: { name },
    spec: { clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } },
  }
}

/** Only the label by which a cluster is in a set: everything else of a ManagedCluster belongs to others. */
export function clusterSetMember(version: ApiVersionOf, cluster: string, set: string): Manifest {
  return {
    apiVersion: version('ManagedCluster'),
    kind: 'ManagedCluster',
    metadata: { name: cluster, labels: { [CLUSTER_SET_LABEL]: set } },
  }
}

/** Makes a set usable by the Placements of a namespace. It is looked up by its name, which must be the set's (push-pull.md 1.3). */
export function managedClusterSetBinding(version: ApiVersionOf, namespace: string, set: string): Manifest {
  return {
    apiVersion: version('ManagedClusterSetBinding'),
    kind: 'ManagedClusterSetBinding',
    metadata: { name: set, namespace },
    spec: { clusterSet: set },
  }
}
