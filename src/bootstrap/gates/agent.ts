import { lostOnClusters } from '../../agent/danger.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { atLeast } from '../hub.ts'
import type { Judged } from '../judge.ts'
import { argoCdOf, keepsController } from '../parts/principal.ts'
import type { Danger } from './danger.ts'

/** Applications that the hub's own controller deploys, and that would wait for it for ever. */
export function frozen(judged: Judged): Danger | undefined {
  const { blueprint, before, preview } = judged
  if (!blueprint.parts.has('principal') || keepsController(blueprint)) return undefined
  if (argoCdOf(blueprint)?.controllerEnabled === false) return undefined
  const gone = new Set(preview.applications.lost.map(app => `${app.namespace}/${app.name}`))
  const own = before
    .join(applications)
    .all.filter(
      ({ app, model, argoNamespace }) =>
        argoNamespace === blueprint.argoNamespace &&
        model !== 'pull' &&
        model !== 'agent' &&
        !gone.has(`${app.meta.namespace}/${app.meta.name}`),
    )
  if (own.length === 0) return undefined
  const hybrid = atLeast(blueprint.hub.operator.version, 1, 21) === false ? '' : '. They go on with --setup hybrid'
  return {
    code: 'frozen-applications',
    text: `${own.length} ${own.length === 1 ? 'Application' : 'Applications'} of this Argo CD would freeze and still look healthy${hybrid}`,
    details: own.map(
      ({ app, model, cluster }) =>
        `${app.meta.namespace}/${app.meta.name} (${model}${cluster === '' ? '' : ` to ${cluster}`})`,
    ),
    openable: true,
  }
}

/** Applications that the plan takes from their agents, as a side effect: no flag of a bootstrap does that. */
export function deletedByAgents({ before, after }: Pick<Judged, 'before' | 'after'>): Danger | undefined {
  const lost = lostOnClusters(before, after)
  if (lost.length === 0) return undefined
  return {
    code: 'deleted-by-agents',
    text: `agents would delete ${lost.length === 1 ? '1 Application' : `${lost.length} Applications`} with the workload, within two seconds, and the hub would still say Synced and Healthy; "agent appset" turns an ApplicationSet on purpose`,
    details: lost.map(l => `${l.key} on ${l.cluster}: ${l.why}`),
    openable: false,
  }
}

/** An ApplicationSet of agents under the marks of pull would have two ways to each cluster, and two destinations. */
export function pullOverAgents({ blueprint, before }: Judged): Danger | undefined {
  if (blueprint.model !== 'pull' || !blueprint.parts.has('appset')) return undefined
  const own = before
    .join(applications)
    .all.filter(
      l =>
        l.model === 'agent' &&
        l.appSet?.appSet.meta.name === blueprint.appSet &&
        l.appSet.appSet.meta.namespace === blueprint.argoNamespace,
    )
  if (own.length === 0) return undefined
  return {
    code: 'agent-applicationset',
    text: `ApplicationSet ${blueprint.argoNamespace}/${blueprint.appSet} delivers by agents, and its Applications would go two ways; "agent appset ${blueprint.appSet} --to pull" turns it`,
    details: own.map(l => `${l.key} on ${l.cluster}`),
    openable: false,
  }
}

/** Pull Applications on clusters that agents are to get: both would own the Application there. */
export function pullBesideAgent(judged: Judged): Danger | undefined {
  const { blueprint, before, clusters, preview } = judged
  if (blueprint.model !== 'agent') return undefined
  const gone = new Set(preview.applications.lost.map(app => `${app.namespace}/${app.name}`))
  const pulled = before
    .join(applications)
    .all.filter(
      ({ app, model, cluster }) =>
        model === 'pull' && clusters.includes(cluster) && !gone.has(`${app.meta.namespace}/${app.meta.name}`),
    )
  if (pulled.length === 0) return undefined
  return {
    code: 'pull-beside-agent',
    text: 'pull Applications go to the same clusters: ManifestWork and agent would both own the Application there; remove or move them first',
    details: pulled.map(({ app, cluster }) => `${app.meta.namespace}/${app.meta.name} on ${cluster}`),
    openable: false,
  }
}

/** An Argo CD that cannot become a principal: none of the operator, or an operator that is too old for it. */
export function unfitArgoCd({ blueprint }: Judged): Danger | undefined {
  const argo = argoCdOf(blueprint)
  const { version } = blueprint.hub.operator
  if (blueprint.parts.has('principal')) {
    if (argo === undefined) {
      return {
        code: 'no-operator',
        text: `no ArgoCD resource is in namespace ${blueprint.argoNamespace}: this Argo CD is not run by the operator, which alone turns it into a principal`,
        details: [],
        openable: false,
      }
    }
    const needed = keepsController(blueprint) ? 21 : 20
    if (atLeast(version, 1, needed) === false) {
      return {
        code: 'operator-too-old',
        text: `OpenShift GitOps ${version} on the hub is too old for ${needed === 21 ? 'the hybrid set-up' : 'destination-based mapping'}; it takes 1.${needed}`,
        details: [],
        openable: false,
      }
    }
  }
  if (blueprint.model === 'push' && argo?.controllerEnabled === false) {
    return {
      code: 'controller-off',
      text: `ArgoCD ${argo.meta.namespace}/${argo.meta.name} has its application controller switched off: it deploys nothing itself`,
      details: [],
      openable: false,
    }
  }
  return undefined
}
