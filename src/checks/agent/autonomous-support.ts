import type { ClusterView, Fleet } from '../../fleet/fleet.ts'
import { type Principal, principals } from '../../fleet/joins/agents.ts'
import type { ArgoCD } from '../../fleet/records.ts'

/** An autonomous agent whose spoke was read, with the principal that it sends to. */
interface AutonomousAgent {
  readonly cluster: string
  readonly view: ClusterView
  readonly argo: ArgoCD
  readonly principal: Principal
}

export function autonomousAgents(fleet: Fleet): readonly AutonomousAgent[] {
  return fleet.join(principals).flatMap(principal =>
    [...fleet.spokes].flatMap(([cluster, view]) =>
      principal.agents.has(cluster)
        ? view
            .of('ArgoCD')
            .all.filter(a => a.agent?.enabled === true && a.agent.mode === 'autonomous')
            .map(argo => ({ cluster, view, argo, principal }))
        : [],
    ),
  )
}
