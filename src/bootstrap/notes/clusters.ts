import { ACCEPTED, AVAILABLE, clusters as clustersJoin, isTrue, JOINED } from '../../fleet/joins/clusters.ts'
import { registration, registrationKey } from '../../fleet/joins/registration.ts'
import type { Judged } from '../judge.ts'
import { listed } from '../names.ts'
import { type Notes, warning } from './note.ts'

/** Is the cluster an agent of this Argo CD as it is? Then nothing comes to it by the plan. */
function isAgent({ blueprint, before }: Judged, cluster: string): boolean {
  const registrars = before.join(registration).of.get(registrationKey(blueprint.argoNamespace, cluster)) ?? []
  return blueprint.model === 'agent' && registrars.some(r => r.writes === 'agent')
}

/** Clusters that are asked for and not selected, or selected without being asked for. */
export function selectionNotes(judged: Judged): Notes {
  const { blueprint, clusters, preview } = judged
  const own = preview.placements.find(
    p => p.namespace === blueprint.argoNamespace && p.name === blueprint.placement.name,
  )
  const named = blueprint.set?.clusters ?? []
  const left = named.filter(name => own !== undefined && !clusters.includes(name))
  const more = named.length === 0 ? [] : clusters.filter(name => !named.includes(name) && !isAgent(judged, name))
  return [
    ...left.map(name =>
      warning(
        'not-selected',
        `${name} is put into the set but not selected: ${own?.notSelected.find(n => n.cluster === name)?.detail ?? 'for an unknown reason'}`,
      ),
    ),
    ...(more.length === 0
      ? []
      : [
          warning(
            'more-selected',
            `the Placement selects ${listed(more)} too, which the set holds already; ${blueprint.placement.existing === undefined ? 'narrow it with --predicate' : 'narrow its predicates'}`,
          ),
        ]),
    ...(own === undefined
      ? []
      : own.doubts.map(doubt => warning('uncertain', `the selection is not certain: ${doubt}`))),
  ]
}

/** Clusters that are selected and not ready for what comes. */
export function clusterNotes({ blueprint, clusters, before }: Judged): Notes {
  const { byName } = before.join(clustersJoin)
  const of = (is: (name: string) => boolean) => clusters.filter(is)
  const lacks = (type: string) => (name: string) => {
    const cluster = byName.get(name)
    return cluster !== undefined && !isTrue(cluster, type)
  }
  const unaccepted = of(name => lacks(ACCEPTED)(name) || lacks(JOINED)(name))
  const silent = of(name => lacks(AVAILABLE)(name) && !unaccepted.includes(name))
  const needsOpenShift = blueprint.spokeGitops !== 'none'
  const others = of(name => (byName.get(name)?.meta.labels.vendor ?? '') !== 'OpenShift')
  return [
    ...(unaccepted.length === 0
      ? []
      : [
          warning(
            'not-joined',
            `${listed(unaccepted)} never joined the hub and are selected all the same; without a token for each cluster the whole GitOpsCluster is not Ready`,
          ),
        ]),
    ...(silent.length === 0 ? [] : [warning('unavailable', `${listed(silent)} do not report at the moment`)]),
    ...(needsOpenShift && others.length > 0
      ? [
          warning(
            'not-openshift',
            `${listed(others)} are not known to be OpenShift, which the installation of OpenShift GitOps needs`,
          ),
        ]
      : []),
  ]
}
