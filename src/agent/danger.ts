import { managedAgentApps } from '../checks/agent/agent-support.ts'
import { isHandedOut } from '../checks/agent/project-excludes-agent.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { principals } from '../fleet/joins/agents.ts'
import { groupBy } from '../fleet/maps.ts'

/** An Application that a change takes away from a cluster, workload included, while the hub goes on to look healthy. */
export interface LostOnCluster {
  /** `namespace/name`. */
  readonly key: string
  readonly cluster: string
  readonly why: string
}

/** Why the principal does not hand an Application to its agent; undefined where it does. */
function whyNot(fleet: Fleet, argoNamespace: string, agent: string, project: string): string | undefined {
  const principal = fleet.join(principals).find(p => p.argo.meta.namespace === argoNamespace)
  // Without a principal nobody tells the agents to delete anything: their copies stay.
  if (principal === undefined) return undefined
  if (!principal.settings.destinationBasedMapping) return 'destination-based mapping is turned off under its agent'
  const found = fleet.hub.of('AppProject').get(argoNamespace, project)
  if (found !== undefined && !isHandedOut(fleet, found, agent)) return `AppProject ${project} stops matching its agent`
  return undefined
}

/**
 * Applications that their agents would delete because of a change: within two seconds, copy and workload, with the hub
 * still Synced and Healthy (seen on running controllers; agent-mode.md 2.6).
 *
 * @param before the fleet without the change
 * @param after the fleet with it
 */
export function lostOnClusters(before: Fleet, after: Fleet): readonly LostOnCluster[] {
  const later = groupBy(managedAgentApps(after), l => l.key)
  return managedAgentApps(before)
    .flatMap((link): LostOnCluster[] => {
      const { app, argoNamespace, cluster, key } = link
      const isLeaving = app.meta.deleting !== undefined || app.destination.name === ''
      if (isLeaving || whyNot(before, argoNamespace, cluster, app.project) !== undefined) return []
      const next = later.get(key)?.[0]
      if (next === undefined) return []
      if (next.app.destination.name === '') {
        return [{ key, cluster, why: 'its destination names a server instead of the cluster' }]
      }
      const why = whyNot(after, argoNamespace, cluster, next.app.project)
      return why === undefined ? [] : [{ key, cluster, why }]
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}
