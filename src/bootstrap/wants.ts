import type { Wait, Want } from '../plan/make-steps.ts'
import type { Blueprint } from './blueprint.ts'
import { applicationSetPart } from './parts/application-set.ts'
import { bindingPart, clusterSetPart } from './parts/clusters.ts'
import { gitOpsClusterPart, registeredWait, usesGitOpsCluster } from './parts/gitops-cluster.ts'
import { decidedWait, placementPart } from './parts/placement.ts'
import { principalPart } from './parts/principal.ts'
import { checkAccountSettings, serviceAccountPart } from './parts/service-account.ts'
import { spokesPart } from './parts/spokes.ts'

/** What has to be there before anything can be selected: the clusters of all further parts follow from it. */
export function selectionWants(blueprint: Blueprint): readonly Want[] {
  const { parts } = blueprint
  return [
    ...(parts.has('clusterset') ? clusterSetPart(blueprint) : []),
    ...(parts.has('binding') ? bindingPart(blueprint) : []),
    ...(parts.has('placement') ? placementPart(blueprint) : []),
  ]
}

function spokeWants(blueprint: Blueprint, clusters: readonly string[]): readonly (Want | Wait)[] {
  const { parts, model, settings } = blueprint
  if (!parts.has('rbac') && !parts.has('spoke-gitops')) return []
  // A service account of its own belongs to push; the clusters' own Argo CD to the others.
  const isPush = model === 'push' || (model === undefined && settings.serviceAccount !== undefined)
  checkAccountSettings(settings, isPush)
  return isPush ? serviceAccountPart(blueprint, clusters) : spokesPart(blueprint, clusters)
}

/**
 * Everything that comes after the selection, in an order in which nothing arrives before what it needs: rights before the
 * first sync, registration before the ApplicationSet.
 *
 * @param clusters what the Placement selects
 */
export function deliveryWants(blueprint: Blueprint, clusters: readonly string[]): readonly (Want | Wait)[] {
  const { parts } = blueprint
  const followed = parts.has('gitopscluster') || parts.has('appset') || parts.has('rbac') || parts.has('spoke-gitops')
  return [
    ...(parts.has('placement') && followed ? [decidedWait(blueprint, clusters)] : []),
    ...spokeWants(blueprint, clusters),
    ...(parts.has('principal') ? principalPart(blueprint, clusters) : []),
    ...(parts.has('gitopscluster') ? gitOpsClusterPart(blueprint) : []),
    ...(parts.has('gitopscluster') && parts.has('appset') && usesGitOpsCluster(blueprint)
      ? registeredWait(blueprint, clusters)
      : []),
    ...(parts.has('appset') ? applicationSetPart(blueprint, clusters) : []),
  ]
}
