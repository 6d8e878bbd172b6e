import type { SetUp } from '../agent/choices.ts'
import { makeSwitch } from '../agent/make-agent-plan.ts'
import type { Settings } from '../bootstrap/settings.ts'
import type { KindName } from '../fleet/kinds.ts'
import type { Plan } from '../plan/plan.ts'
import { bareHub } from './bare-hub.ts'
import type { Right } from './rights.ts'

/** Set-ups that fleetctl writes; upstream is set up by hand. */
const SET_UPS: readonly SetUp[] = ['documented', 'hybrid', 'dedicated']

/** `agent enable` in each of them; `agent add` writes a part of the same. */
export async function enablePlans(settings: Settings): Promise<readonly Plan[]> {
  const plans: Plan[] = []
  for (const setup of SET_UPS) {
    const request = {
      words: ['agent', 'enable'],
      setup,
      settings,
      agentNamespace: undefined,
      accepted: { frozen: [], lost: [], codes: new Set<string>() },
    }
    const { plan } = await makeSwitch(request, await bareHub())
    if (plan !== undefined) plans.push(plan)
  }
  return plans
}

const ARGO: Right['where'] = { scope: 'roles', roles: ['argo'] }
const ANYWHERE: Right['where'] = { scope: 'cluster' }

const rights = (where: Right['where'], verbs: readonly Right['verb'][], kinds: readonly KindName[]): readonly Right[] =>
  kinds.flatMap(kind => verbs.map(verb => ({ kind, verb, names: [], where, checks: [] })))

/** Kinds of what ACM and the operator make for agents, and what `agent remove` and `agent revert` delete of it (src/agent/remains.ts). */
export const REMAINS: { readonly argo: readonly KindName[]; readonly anywhere: readonly KindName[] } = {
  argo: ['Secret', 'ConfigMap', 'Role', 'RoleBinding', 'Policy', 'PlacementBinding', 'GitOpsCluster'],
  // In the namespaces of the clusters, or in none.
  anywhere: ['ManagedClusterAddOn', 'AddOnDeploymentConfig', 'ManifestWork', 'AddOnTemplate'],
}

/** What the `agent` commands need that no plan for a bare hub shows: there is nothing to turn, renew or take away there. */
export const AGENT_RIGHTS: readonly Right[] = [
  // Runs that switch a hub exclude each other.
  ...rights(ARGO, ['get', 'create', 'patch', 'delete'], ['Lease']),
  // The Policy of the agents and their Subscription are looked at before they are written.
  ...rights(ARGO, ['get'], ['Policy']),
  // appset turns a template, and back.
  ...rights(ARGO, ['get', 'patch'], ['ApplicationSet']),
  // rotate-certs; and what is waited for.
  ...rights(ARGO, ['get', 'delete'], ['Pod']),
  ...rights(ARGO, ['get'], ['Deployment', 'StatefulSet']),
  ...rights(ARGO, ['get', 'delete'], REMAINS.argo),
  ...rights(ANYWHERE, ['get', 'delete'], REMAINS.anywhere),
  // revert switches the principal off where no run is known that switched it on.
  ...rights(ARGO, ['get', 'patch'], ['ArgoCD']),
]
