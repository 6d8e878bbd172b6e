import { agentDeployments } from '../../checks/agent/agent-support.ts'
import type { ClusterView } from '../../fleet/fleet.ts'
import { ADDON_ARGOCD, GITOPS_NAMESPACE } from '../../fleet/well-known.ts'
import type { Place } from './place.ts'

/** One agent and its spoke as far as it was read. */
export interface Agent {
  readonly place: Place
  readonly name: string
  readonly view: ClusterView | undefined
  /** Namespace and name of its ArgoCD on the spoke; those of ACM where the spoke was not read. */
  readonly namespace: string
  readonly argocd: string
}

export function agentOf(place: Place, name: string): Agent {
  const view = place.fleet.spokes.get(name)
  const argo = view?.of('ArgoCD').all.find(a => a.agent?.enabled === true)
  const deployment = view === undefined ? undefined : agentDeployments(view)[0]
  return {
    place,
    name,
    view,
    namespace: argo?.meta.namespace ?? deployment?.meta.namespace ?? GITOPS_NAMESPACE,
    argocd: argo?.meta.name ?? ADDON_ARGOCD,
  }
}
