import { defineJoin, inputsOf } from '../fleet.ts'
import { pushTo } from '../maps.ts'
import type { Application } from '../records.ts'
import { type AppLink, applications, IN_CLUSTER_SERVER, skipsReconcile } from './applications.ts'
import { type AppSetLink, appSetKey } from './appsets.ts'
import { type WorkLink, works } from './works.ts'

/** An Application where an Argo CD reconciles it: on the hub for push, on the spoke for pull and agent. */
export interface Reconciled {
  readonly app: Application
  /** Cluster whose Argo CD reconciles it. */
  readonly at: string
  /** Cluster that it deploys to. */
  readonly target: string
  /** The hub Application behind it: itself for push; undefined where it is gone. */
  readonly hub: AppLink | undefined
  readonly appSet: AppSetLink | undefined
  readonly work: WorkLink | undefined
  /** True where the hub's copy of a spoke's status is all there is to see. */
  readonly copied: boolean
}

/**
 * Every Application that the hub knows of, at the place where its status is made. For pull and agent that is the spoke; where
 * the spoke was not read the hub's copy stands in for agents (it is whole), but not for pull (it has no texts).
 */
export const reconciled = defineJoin<readonly Reconciled[]>(
  inputsOf(applications, works, { spoke: ['Application'] }),
  fleet => {
    const list: Reconciled[] = []
    const links = fleet.join(applications)
    const agents = new Map<string, AppLink[]>()
    for (const link of links.all) {
      if (link.model === 'agent') {
        // An autonomous agent's Application keeps its own namespace on the spoke; only the name is shared.
        pushTo(agents, `${link.cluster}|${link.app.meta.name}`, link)
        const view = fleet.spokes.get(link.cluster)
        const there = view?.of('Application').all.some(a => a.meta.name === link.app.meta.name) ?? false
        if (!there)
          list.push({
            app: link.app,
            at: 'hub',
            target: link.cluster,
            hub: link,
            appSet: link.appSet,
            work: undefined,
            copied: true,
          })
      } else if (!skipsReconcile(link.app)) {
        const local = link.app.destination.server === IN_CLUSTER_SERVER || link.app.destination.name === 'in-cluster'
        const target = local || link.model === 'local' ? 'hub' : link.cluster
        list.push({ app: link.app, at: 'hub', target, hub: link, appSet: link.appSet, work: undefined, copied: false })
      }
    }
    const { byPayload } = fleet.join(works)
    for (const [cluster, view] of fleet.spokes) {
      for (const app of view.of('Application').all) {
        const found = byPayload.get(`${cluster}|${appSetKey(app)}`) ?? []
        const work = found.find(w => links.byKey.has(w.appKey)) ?? found[0]
        const agent = (agents.get(`${cluster}|${app.meta.name}`) ?? []).find(
          l => l.app.meta.namespace === app.meta.namespace || l.app.meta.namespace === cluster,
        )
        const hub = work === undefined ? agent : links.byKey.get(work.appKey)
        if (work === undefined && hub === undefined) continue
        list.push({ app, at: cluster, target: cluster, hub, appSet: hub?.appSet, work, copied: false })
      }
    }
    return list
  },
)
