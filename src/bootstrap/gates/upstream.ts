import { clusterSecrets, registrationKey } from '../../fleet/joins/registration.ts'
import { AGENT_CHART } from '../blueprint.ts'
import type { Judged } from '../judge.ts'
import type { Danger } from './danger.ts'

/**
 * Push where no controller makes credentials: upstream every cluster has a secret with an address that is none and without
 * a token. It is made once and then left alone, so it may be completed by hand (push-pull.md 1.7, 4.1).
 */
export function noCredentials({ blueprint, before, clusters }: Judged): Danger | undefined {
  const { hub, model, argoNamespace, parts } = blueprint
  if (hub.flavour !== 'upstream' || model !== 'push' || !parts.has('appset') || !before.hub.knows('Secret')) {
    return undefined
  }
  const { byName } = before.join(clusterSecrets)
  const details = clusters.flatMap(cluster => {
    const secrets = byName.get(registrationKey(argoNamespace, cluster)) ?? []
    const [first] = secrets
    if (secrets.some(secret => secret.cluster.hasConfig)) return []
    return [
      first === undefined
        ? `${cluster}: no cluster secret in ${argoNamespace} has data.name "${cluster}"`
        : `${cluster}: Secret ${argoNamespace}/${first.meta.name} has no config, and ${first.cluster.server} may be no address`,
    ]
  })
  if (details.length === 0) return undefined
  return {
    code: 'no-credentials',
    text: "on upstream Open Cluster Management nobody makes credentials for push: give each of these secrets the cluster's address (server) and a token (config), or use bootstrap pull",
    details,
    openable: false,
  }
}

/** Agents where no principal runs that they could connect to; the chart of the add-on makes it (agent-mode.md 3.5). */
export function noPrincipal({ blueprint, before }: Judged): Danger | undefined {
  const { hub, model, argoNamespace, parts } = blueprint
  if (hub.flavour !== 'upstream' || model !== 'agent' || !parts.has('gitopscluster')) return undefined
  const isPrincipal =
    before.hub
      .of('ArgoCD')
      .in(argoNamespace)
      .some(argo => argo.principal?.enabled === true) ||
    // Installed without the operator, it shows by its Service (agent-mode.md 2.7).
    before.hub
      .of('Service')
      .in(argoNamespace)
      .some(s => s.meta.labels['app.kubernetes.io/part-of'] === 'argocd-agent' && s.meta.name.includes('principal'))
  if (isPrincipal || !before.hub.knows('Service')) return undefined
  return {
    code: 'no-principal',
    text: `no principal for agents runs in namespace ${argoNamespace}; the Helm chart ${AGENT_CHART} brings it, with the controller that acts on the GitOpsCluster`,
    details: [],
    openable: false,
  }
}
