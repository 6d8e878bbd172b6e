import { applications } from '../fleet/joins/applications.ts'
import { clusters as clustersJoin, isLocalCluster } from '../fleet/joins/clusters.ts'
import { clusterSecrets, isBlank, type Registrar, registration, registrationKey } from '../fleet/joins/registration.ts'
import { CLUSTER_SET_LABEL } from '../fleet/placement/sets.ts'
import { subjectText } from '../fleet/subject.ts'
import type { Gate, ObjectStep } from '../plan/plan.ts'
import { atLeast } from './hub.ts'
import type { Judged } from './judge.ts'
import { listed } from './names.ts'
import { argoCdOf, keepsController } from './parts/principal.ts'
import { spokeNamespace } from './parts/spokes.ts'

/** A gate before it is known whether the user has accepted it. */
type Danger = Omit<Gate, 'accepted' | 'flag'> & {
  /** False for one that no flag opens: what is asked for cannot work. */
  readonly openable: boolean
  readonly flag?: string
}

const objectStepsOf = ({ steps }: Judged): readonly ObjectStep[] => steps.filter(step => step.type === 'object')

function lostApplications({ preview }: Judged): Danger | undefined {
  const { lost } = preview.applications
  if (lost.length === 0) return undefined
  return {
    code: 'lost-applications',
    text: `${lost.length === 1 ? '1 Application that is there now goes' : `${lost.length} Applications that are there now go`}, while every status stays green`,
    details: lost.map(
      app => `${app.namespace}/${app.name} on ${app.cluster} (ApplicationSet ${app.applicationSet}): ${app.effect}`,
    ),
    openable: true,
  }
}

function movedClusters(judged: Judged): Danger | undefined {
  const moves = objectStepsOf(judged).flatMap(step => {
    const change = step.changes.find(c => c.keys.at(-1) === CLUSTER_SET_LABEL && c.change === 'change')
    return change === undefined
      ? []
      : [{ cluster: step.subject.name, from: String(change.from), to: String(change.to) }]
  })
  if (moves.length === 0) return undefined
  const losing = judged.preview.placements.filter(p => p.goes.length > 0)
  return {
    code: 'move-clusters',
    text: 'a cluster is in one such set at a time: what selects its old set loses it',
    details: [
      ...moves.map(({ cluster, from, to }) => `${cluster} moves from set ${from} to ${to}`),
      ...losing.map(p => `Placement ${p.namespace}/${p.name} loses ${listed(p.goes)}`),
    ],
    openable: true,
  }
}

/** What the GitOpsCluster of the plan registers, if it has one. */
function ownRegistrar({ after, blueprint }: Judged): Registrar | undefined {
  return after.join(registration).byKey.get(`${blueprint.argoNamespace}/${blueprint.gitOpsCluster.name}`)
}

function pushOff(judged: Judged): Danger | undefined {
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

function collision(judged: Judged): Danger | undefined {
  const own = ownRegistrar(judged)
  if (own === undefined || !judged.blueprint.parts.has('gitopscluster')) return undefined
  const { of } = judged.after.join(registration)
  const details = judged.clusters.flatMap(cluster => {
    const others = (of.get(registrationKey(own.argoNamespace, cluster)) ?? []).filter(r => r.goc !== own.goc)
    return others
      .filter(r => r.writes !== own.writes || r.msa !== own.msa)
      .map(
        r =>
          `${cluster}: GitOpsCluster ${r.goc.meta.name} writes ${WRITES[r.writes]} for ${r.msa}, ${own.goc.meta.name} ${WRITES[own.writes]} for ${own.msa}`,
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

function hubSelected({ blueprint, clusters, after }: Judged): Danger | undefined {
  const { byName } = after.join(clustersJoin)
  const hub = clusters.find(name => {
    const cluster = byName.get(name)
    return cluster !== undefined && isLocalCluster(cluster)
  })
  if (hub === undefined || blueprint.spokeGitops !== 'addon') return undefined
  return {
    code: 'hub-selected',
    text: `the Placement selects the hub itself (${hub}), and ACM refuses the add-on for all of its clusters then; exclude it with --predicate '!local-cluster'`,
    details: [],
    openable: false,
  }
}

/** Applications that the hub's own controller deploys, and that would wait for it for ever. */
function frozen(judged: Judged): Danger | undefined {
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

function pullBesideAgent(judged: Judged): Danger | undefined {
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

function unfitArgoCd({ blueprint }: Judged): Danger | undefined {
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

function secondArgoCd(judged: Judged): Danger | undefined {
  const { blueprint, clusters, before } = judged
  if (blueprint.spokeGitops !== 'addon' || !blueprint.parts.has('gitopscluster')) return undefined
  const namespace = spokeNamespace(blueprint)
  const details = clusters.flatMap(cluster => {
    const there = before.spokes
      .get(cluster)
      ?.of('ArgoCD')
      .in(namespace)
      .find(argo => argo.meta.name !== 'acm-openshift-gitops')
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

function gitOpsOwned(judged: Judged): Danger | undefined {
  const owned = objectStepsOf(judged).filter(step => step.action === 'configure' && step.owner !== undefined)
  if (owned.length === 0) return undefined
  return {
    code: 'gitops-owned',
    text: 'objects are kept as they are by somebody who would undo the change; write files for Git with --export DIR instead',
    details: owned.map(step => `${subjectText(step.subject)}: ${step.owner?.text ?? ''}`),
    openable: true,
  }
}

function conflicts(judged: Judged): Danger | undefined {
  const details = objectStepsOf(judged)
    .filter(step => !step.force)
    .flatMap(step =>
      step.changes
        .filter(change => change.owners.length > 0 && change.change === 'change')
        .map(change => `${subjectText(step.subject)}${change.path} is set by ${listed(change.owners)}`),
    )
  if (details.length === 0) return undefined
  return {
    code: 'conflicts',
    text: 'fields are owned by other field managers; take them over or leave them as they are',
    details,
    openable: true,
    flag: '--force-conflicts',
  }
}

const DANGERS = [
  lostApplications,
  movedClusters,
  pushOff,
  frozen,
  collision,
  pullBesideAgent,
  unfitArgoCd,
  hubSelected,
  secondArgoCd,
  gitOpsOwned,
  conflicts,
]

/** Every danger of the plan, each with the flag that accepts it. */
export function gatesOf(judged: Judged, accepted: ReadonlySet<string>): readonly Gate[] {
  return DANGERS.flatMap(danger => {
    const found = danger(judged)
    if (found === undefined) return []
    const { code, text, details, openable, flag } = found
    return {
      code,
      text,
      details,
      flag: openable ? (flag ?? `--accept ${code}`) : '',
      accepted: openable && accepted.has(code),
    }
  })
}
