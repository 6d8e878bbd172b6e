import { defineJoin } from '../fleet.ts'
import { groupBy } from '../maps.ts'
import type { ArgoCD } from '../records.ts'
import { AGENT_NAME, type ClusterSecret, clusterSecrets } from './registration.ts'

/** A principal: the ArgoCD that switches it on, and the agents whose secrets lie beside it (agent-mode.md 1.2, 1.8). */
export interface Principal {
  readonly argo: ArgoCD
  readonly settings: NonNullable<ArgoCD['principal']>
  /** By agent name, which is the ManagedCluster's. */
  readonly agents: ReadonlyMap<string, readonly ClusterSecret[]>
}

export const principals = defineJoin<readonly Principal[]>({ hub: ['ArgoCD', 'Secret'] }, fleet => {
  const byNamespace = groupBy(
    fleet.join(clusterSecrets).all.filter(s => AGENT_NAME in s.meta.labels),
    s => s.meta.namespace,
  )
  return fleet.hub.of('ArgoCD').all.flatMap((argo): Principal[] => {
    const settings = argo.principal
    if (settings === undefined || !settings.enabled) return []
    const agents = groupBy(byNamespace.get(argo.meta.namespace) ?? [], s => s.meta.labels[AGENT_NAME] ?? '')
    return [{ argo, settings, agents }]
  })
})
