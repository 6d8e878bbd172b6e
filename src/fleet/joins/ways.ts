import { defineJoin, inputsOf } from '../fleet.ts'
import { indexBy, pushTo } from '../maps.ts'
import { type AppLink, applications } from './applications.ts'
import { registration } from './registration.ts'
import { WayIndex } from './way-index.ts'
import type { Way } from './way-stops.ts'
import { works } from './works.ts'

export { proxyService, stopsOf, type Way } from './way-stops.ts'

interface Ways {
  readonly all: readonly Way[]
  readonly byKey: ReadonlyMap<string, Way>
  readonly byCluster: ReadonlyMap<string, readonly Way[]>
  /** Ways through an object, by subjectKey. */
  through(key: string): readonly Way[]
}

/** The way that begins at an Application of the hub. */
export function wayOf(link: AppLink): Way {
  const { app, key, appSet, cluster, model, argoNamespace } = link
  return { key, subject: app.subject, link, appSet, cluster, model, argoNamespace }
}

export const ways = defineJoin<Ways>(inputsOf(applications, works, registration), fleet => {
  const all = fleet.join(applications).all.map(wayOf)
  const byCluster = new Map<string, Way[]>()
  for (const way of all) if (way.cluster !== '') pushTo(byCluster, way.cluster, way)
  const byKey = indexBy(all, w => w.key)
  let index: WayIndex | undefined
  return {
    all,
    byKey,
    byCluster,
    through(key) {
      index ??= new WayIndex(fleet, all, byKey)
      return index.through(key)
    },
  }
})
