import { applications } from '../../fleet/joins/applications.ts'
import { appSets, renderFor } from '../../fleet/joins/appsets.ts'
import { clusters as clustersJoin, isLocalCluster } from '../../fleet/joins/clusters.ts'
import { CLUSTER_SET_LABEL } from '../../fleet/labels.ts'
import type { Judged } from '../judge.ts'
import { listed } from '../names.ts'
import { type Danger, objectStepsOf } from './danger.ts'

/** Applications that go because their cluster is not selected any more. */
export function lostApplications({ preview }: Pick<Judged, 'preview'>): Danger | undefined {
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

/** Clusters that change their exclusive set: what selects the old one loses them. */
export function movedClusters(judged: Judged): Danger | undefined {
  const moves = objectStepsOf(judged).flatMap(step => {
    const change = step.changes.find(c => c.keys.at(-1) === CLUSTER_SET_LABEL && c.change === 'change')
    return change === undefined
      ? []
      : [{ cluster: step.subject.name, from: String(change.from), to: String(change.to) }]
  })
  if (moves.length === 0) return undefined
  const losing = judged.preview.placements.filter(p => p.goes.length > 0)
  const mayLose = judged.preview.placements.filter(p => p.mayGo.length > 0)
  return {
    code: 'move-clusters',
    text: 'a cluster is in one such set at a time: what selects its old set loses it',
    details: [
      ...moves.map(({ cluster, from, to }) => `${cluster} moves from set ${from} to ${to}`),
      ...mayLose.map(p => `Placement ${p.namespace}/${p.name} may lose ${listed(p.mayGo)}`),
      ...losing.map(p => `Placement ${p.namespace}/${p.name} loses ${listed(p.goes)}`),
    ],
    openable: true,
  }
}

/** The hub among the clusters of a set-up that must leave it out. */
export function hubSelected({ blueprint, clusters, after }: Judged): Danger | undefined {
  const { byName } = after.join(clustersJoin)
  const hub = clusters.find(name => {
    const cluster = byName.get(name)
    return cluster !== undefined && isLocalCluster(cluster)
  })
  const { model, spokeGitops } = blueprint
  if (hub === undefined || (spokeGitops !== 'addon' && model !== 'pull')) return undefined
  const why =
    spokeGitops === 'addon'
      ? 'ACM refuses the add-on for all of its clusters then'
      : 'the Application that is carried there would overwrite the one that it was made of'
  return {
    code: 'hub-selected',
    text: `the Placement selects the hub itself (${hub}): ${why}; exclude it with --predicate '!local-cluster'`,
    details: [],
    openable: false,
  }
}

/** Applications of the same name that are there: the ApplicationSet fails on those of others, and adopts the rest silently. */
export function takenNames({ blueprint, clusters, before, after }: Judged): Danger | undefined {
  const { argoNamespace, appSet, parts } = blueprint
  const link = after.join(appSets).byKey.get(`${argoNamespace}/${appSet}`)
  if (!parts.has('appset') || link === undefined) return undefined
  const { byKey } = before.join(applications)
  const taken = clusters.flatMap(cluster => {
    const rendered = renderFor(after, link, cluster)
    const there = byKey.get(`${rendered?.namespace ?? ''}/${rendered?.name ?? ''}`)
    return there === undefined || there.owner?.name === appSet ? [] : [there]
  })
  if (taken.length === 0) return undefined
  const owned = taken.filter(({ owner }) => owner !== undefined)
  return {
    code: 'name-taken',
    text:
      owned.length > 0
        ? 'Applications of these names belong to another ApplicationSet, and this one would fail; choose other names with --app-name'
        : 'Applications of these names are there, and the ApplicationSet takes them over without a word, their spec included',
    details: taken.map(
      ({ app, owner }) =>
        `${app.meta.namespace}/${app.meta.name}${owner === undefined ? '' : ` of ApplicationSet ${owner.name}`}`,
    ),
    openable: owned.length === 0,
  }
}
