import { projectByTemplate, takenByTemplate } from '../checks/agent/agent-routing-lost.ts'
import { managedAgentApps } from '../checks/agent/agent-support.ts'
import { isHandedOut } from '../checks/agent/project-excludes-agent.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { principals } from '../fleet/joins/agents.ts'
import type { AppLink } from '../fleet/joins/applications.ts'
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

/** The same for what the template of its ApplicationSet is about to make of it. */
function whyGone(fleet: Fleet, link: AppLink): string | undefined {
  const { app, argoNamespace, cluster } = link
  if (app.destination.name === '') return 'its destination names a server instead of the cluster'
  const to = takenByTemplate(fleet, link)
  if (to !== undefined) return `its template says ${to}`
  return whyNot(fleet, argoNamespace, cluster, projectByTemplate(link))
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
      const { app, cluster, key } = link
      if (app.meta.deleting !== undefined || whyGone(before, link) !== undefined) return []
      const next = later.get(key)?.[0]
      const why = next === undefined ? undefined : whyGone(after, next)
      return why === undefined ? [] : [{ key, cluster, why }]
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}
