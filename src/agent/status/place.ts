import { principalDeployment } from '../../checks/agent/agent-support.ts'
import { UsageError } from '../../errors.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { type Principal, principals } from '../../fleet/joins/agents.ts'
import { type AppLink, applications } from '../../fleet/joins/applications.ts'
import { type Registrar, registration } from '../../fleet/joins/registration.ts'
import { pushTo } from '../../fleet/maps.ts'
import type { Workload } from '../../fleet/records.ts'
import { didYouMean } from '../../ui/nearest.ts'

/** One namespace of the hub in which agents meet a principal, or should. */
export interface Place {
  readonly fleet: Fleet
  readonly namespace: string
  /** Undefined where agents are registered and no principal is switched on. */
  readonly principal: Principal | undefined
  readonly deployment: Workload | undefined
  /** GitOpsClusters that register agents here. */
  readonly registrars: readonly Registrar[]
  /** Names of the agents, sorted: those with a secret, and those that are to get one. */
  readonly agents: readonly string[]
  /** Applications by the agent that they go to or come from. */
  readonly routed: ReadonlyMap<string, readonly AppLink[]>
}

/** Every place of agent mode on a hub, sorted by namespace. */
export function agentPlaces(fleet: Fleet): readonly Place[] {
  const here = fleet.join(principals)
  const registrars = fleet.join(registration).all.filter(r => r.writes === 'agent')
  const without = new Set(registrars.map(r => r.argoNamespace))
  for (const { argo } of here) without.delete(argo.meta.namespace)
  const places = [
    ...here.map(principal => ({ namespace: principal.argo.meta.namespace, principal })),
    ...[...without].map(namespace => ({ namespace, principal: undefined })),
  ].sort((a, b) => (a.namespace < b.namespace ? -1 : 1))
  return places.map(({ namespace, principal }) => {
    const mine = registrars.filter(r => r.argoNamespace === namespace)
    const agents = new Set(mine.flatMap(r => [...(r.decided?.clusters ?? [])]))
    for (const name of principal?.agents.keys() ?? []) agents.add(name)
    return {
      fleet,
      namespace,
      principal,
      deployment: principal === undefined ? undefined : principalDeployment(fleet, principal),
      registrars: mine,
      agents: [...agents].sort(),
      routed: routedTo(fleet, namespace, agents),
    }
  })
}

/** Of an Application whose agent has no secret yet the model cannot be told, but its cluster can. */
function routedTo(fleet: Fleet, namespace: string, agents: ReadonlySet<string>): ReadonlyMap<string, AppLink[]> {
  const routed = new Map<string, AppLink[]>()
  for (const link of fleet.join(applications).all) {
    const isOurs = link.model === 'agent' || (link.model === 'unknown' && agents.has(link.cluster))
    if (!isOurs || link.argoNamespace !== namespace) continue
    pushTo(routed, link.cluster, link)
  }
  return routed
}

/** @throws UsageError for a name that no agent has, on a hub that has agents */
export function checkAgentNames(places: readonly Place[], names: readonly string[]): void {
  const known = places.flatMap(place => place.agents)
  const wrong = names.find(name => !known.includes(name))
  if (wrong !== undefined && known.length > 0)
    throw new UsageError(
      `no agent is called "${wrong}"${didYouMean(wrong, known, `; there are ${known.slice(0, 5).join(', ')}`)}`,
    )
}
