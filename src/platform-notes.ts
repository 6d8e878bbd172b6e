import type { Fleet } from './fleet/fleet.ts'
import { type KindName, resourceName } from './fleet/kinds.ts'

/**
 * What of the chain a hub does not have, and what follows from it: one line, or none where all is there. Only what the hub is
 * known not to serve counts; what nobody recorded may be there.
 */
export function platformNotes({ hub }: Fleet): readonly string[] {
  const lacks = (kind: KindName): boolean => !hub.serves(kind)
  const named = (kind: KindName): string => resourceName(kind)
  const noClusters = lacks('ManagedCluster')
  const noArgo = lacks('Application') && lacks('ApplicationSet')
  if (noClusters && noArgo) {
    return [
      `this cluster has neither Open Cluster Management (${named('ManagedCluster')}) nor Argo CD (${named('Application')}): there is nothing to check; is it the hub?`,
    ]
  }
  if (noClusters) {
    return [
      `this cluster has no Open Cluster Management (${named('ManagedCluster')}): Argo CD is looked at alone, and nothing is known of managed clusters, Placements and pull`,
    ]
  }
  if (noArgo) {
    return [
      `this hub has no Argo CD (${named('Application')}): clusters, Placements and add-ons are looked at, and nothing is delivered from here`,
    ]
  }
  if (lacks('GitOpsCluster')) {
    return [
      `this hub serves no GitOpsCluster (${named('GitOpsCluster')}): no controller here registers clusters in Argo CD, so their secrets are made by hand or by the add-on of upstream OCM`,
    ]
  }
  if (lacks('MulticlusterApplicationSetReport')) {
    return [
      'this hub runs upstream Open Cluster Management, not ACM: there are no reports of ApplicationSets, and checks of ACM alone are skipped',
    ]
  }
  return []
}
