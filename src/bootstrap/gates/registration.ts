import { applications } from '../../fleet/joins/applications.ts'
import {
  clusterSecrets,
  isBlank,
  type Registrar,
  registration,
  registrationKey,
} from '../../fleet/joins/registration.ts'
import { ADDON_ARGOCD } from '../../fleet/well-known.ts'
import type { Judged } from '../judge.ts'
import { listed } from '../names.ts'
import { spokeNamespace } from '../parts/spokes.ts'
import type { Danger } from './danger.ts'

/** What the GitOpsCluster of the plan registers, if it has one. */
function ownRegistrar({ after, blueprint }: Judged): Registrar | undefined {
  return after.join(registration).byKey.get(`${blueprint.argoNamespace}/${blueprint.gitOpsCluster.name}`)
}

/** Applications pushed with credentials that the GitOpsCluster of the plan would take out of the secrets. */
export function pushOff(judged: Judged): Danger | undefined {
  const own = ownRegistrar(judged)
  const { before, clusters, blueprint, preview } = judged
  if (own === undefined || own.writes === 'real' || !blueprint.parts.has('gitopscluster')) return undefined
  const gone = new Set(preview.applications.lost.map(app => `${app.namespace}/${app.name}`))
  const secrets = before.join(clusterSecrets).byName
  const pushed = before
    .join(applications)
    .all.filter(
      ({ app, model, cluster, argoNamespace }) =>
        model === 'push' &&
        argoNamespace === own.argoNamespace &&
        clusters.includes(cluster) &&
        !gone.has(`${app.meta.namespace}/${app.meta.name}`) &&
        !(secrets.get(registrationKey(argoNamespace, cluster)) ?? []).some(isBlank),
    )
  if (pushed.length === 0) return undefined
  const how =
    own.writes === 'agent' ? 'agents get the clusters' : 'the GitOpsCluster writes secrets without credentials'
  return {
    code: 'push-off',
    text: `push ends for ${listed([...new Set(pushed.map(p => p.cluster))].sort())}: ${how}. Push and pull side by side: --spoke-gitops policy`,
    details: pushed.map(
      ({ app, cluster }) => `${app.meta.namespace}/${app.meta.name} on ${cluster} is not synced any more`,
    ),
    openable: true,
  }
}

const WRITES: Readonly<Record<Registrar['writes'], string>> = {
  real: 'credentials',
  blank: 'blank secrets',
  agent: 'agent secrets',
}

/** Another GitOpsCluster that registers the same clusters with the same Argo CD, but otherwise. */
export function collision(judged: Judged): Danger | undefined {
  const own = ownRegistrar(judged)
  if (own === undefined || !judged.blueprint.parts.has('gitopscluster')) return undefined
  const { of } = judged.after.join(registration)
  const details = judged.clusters.flatMap(cluster => {
    const others = (of.get(registrationKey(own.argoNamespace, cluster)) ?? []).filter(r => r.goc !== own.goc)
    return (
      others
        // Two add-ons of one cluster rewrite each other's configuration, even where both want the same.
        .filter(r => r.writes !== own.writes || r.msa !== own.msa || (r.goc.addonEnabled && own.goc.addonEnabled))
        .map(
          r =>
            `${cluster}: GitOpsCluster ${r.goc.meta.name} writes ${WRITES[r.writes]} for ${r.msa}, ${own.goc.meta.name} ${WRITES[own.writes]} for ${own.msa}`,
        )
    )
  })
  if (details.length === 0) return undefined
  return {
    code: 'registration-collision',
    text: 'two GitOpsClusters would register the same clusters differently and overwrite each other at every cycle; use the one that is there (--gitopscluster), or take the clusters out of its Placement',
    details,
    openable: false,
  }
}

/** Clusters where the add-on would put a second Argo CD beside one that is there. */
export function secondArgoCd(judged: Judged): Danger | undefined {
  const { blueprint, clusters, before } = judged
  if (blueprint.spokeGitops !== 'addon' || !blueprint.parts.has('gitopscluster')) return undefined
  const namespace = spokeNamespace(blueprint)
  const details = clusters.flatMap(cluster => {
    const there = before.spokes
      .get(cluster)
      ?.of('ArgoCD')
      .in(namespace)
      .find(argo => argo.meta.name !== ADDON_ARGOCD)
    return there === undefined ? [] : [`${cluster}: ArgoCD ${namespace}/${there.meta.name}`]
  })
  if (details.length === 0) return undefined
  return {
    code: 'second-argocd',
    text: 'the add-on brings a second Argo CD into a namespace that has one, and the two fight over their ConfigMaps',
    details,
    openable: true,
  }
}
