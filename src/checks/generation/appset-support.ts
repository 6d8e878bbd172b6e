import { defineJoin, type Fleet, type KindSet } from '../../fleet/fleet.ts'
import { type AppSetLink, appSets, placeOf, type Rendered, renderFor } from '../../fleet/joins/appsets.ts'
import type { Absent } from '../check.ts'

export const APPSET_NEEDS: KindSet = { hub: ['ApplicationSet', 'PlacementDecision'] }

/** What an ApplicationSet would make and does not have; only the cluster where the name cannot be worked out. */
export function absentOf(fleet: Fleet, link: AppSetLink): readonly Absent[] {
  if (!link.appSet.simple)
    return link.owned.length > 0 ? [] : decidedClusters(link).map(cluster => ({ app: undefined, cluster }))
  return renderedFor(fleet, link)
    .filter(made => !link.ownedByKey.has(made.key) && fleet.hub.knows('Application', ...placeOf(made.key)))
    .map(made => ({ app: made.key, cluster: made.cluster }))
}

/** Faults of a template's name, which keep its Applications from being made. */
export const NAME_FAULTS: readonly string[] = ['FLT0306', 'FLT0307', 'FLT0308']

/** Clusters that the generators of an ApplicationSet decide, sorted. */
export function decidedClusters({ generators }: AppSetLink): readonly string[] {
  return [...new Set(generators.flatMap(g => [...g.clusters]))].sort()
}

export interface Named extends Rendered {
  readonly name: string
  /** `namespace/name`. */
  readonly key: string
}

/** What every ApplicationSet makes for each decided cluster, worked out once; several checks look at it. */
const renderedApplications = defineJoin<ReadonlyMap<AppSetLink, readonly Named[]>>(appSets.inputs, fleet => {
  const made = (link: AppSetLink): readonly Named[] => {
    const list: Named[] = []
    for (const cluster of decidedClusters(link)) {
      const rendered = renderFor(fleet, link, cluster)
      if (rendered?.name === undefined || rendered.name === '') continue
      const { name, namespace, params } = rendered
      const key = `${namespace}/${name}`
      // Where there is one already its texts serve: there are as many as Applications.
      const { meta = { namespace, name } } = link.ownedByKey.get(key) ?? {}
      list.push({ cluster, name: meta.name, namespace: meta.namespace, params, key })
    }
    return list
  }
  return new Map(fleet.join(appSets).all.map(link => [link, made(link)]))
})

/** What the ApplicationSet makes for each decided cluster; empty where that cannot be worked out. */
export function renderedFor(fleet: Fleet, link: AppSetLink): readonly Named[] {
  return fleet.join(renderedApplications).get(link) ?? []
}
