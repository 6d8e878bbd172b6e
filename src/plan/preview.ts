import type { Fleet } from '../fleet/fleet.ts'
import { type AppLink, applications } from '../fleet/joins/applications.ts'
import { type AppSetLink, appSetKey, appSets, renderFor } from '../fleet/joins/appsets.ts'
import { clusterSecrets, registration, registrationKey } from '../fleet/joins/registration.ts'
import { RESOURCES_FINALIZER } from '../fleet/labels.ts'
import type { PlacementExplanation } from '../fleet/placement/explain.ts'
import type { WhatIf } from './what-if.ts'

/** What the fleet would look like with the plan: worked out here, before anything exists. */
export interface PlanPreview {
  /** Placements that are made, changed, or select other clusters because of the plan. */
  readonly placements: readonly PlacementPreview[]
  readonly applications: {
    readonly made: readonly ApplicationPreview[]
    /** Applications that are there now and would be deleted. */
    readonly lost: readonly ApplicationPreview[]
  }
}

export interface PlacementPreview {
  readonly namespace: string
  readonly name: string
  readonly selected: readonly string[]
  readonly notSelected: readonly { readonly cluster: string; readonly reason: string; readonly detail: string }[]
  /** Clusters that the plan adds to, or takes from, what is selected without it. */
  readonly comes: readonly string[]
  readonly goes: readonly string[]
  /** Clusters that are selected without the plan, and of which it cannot be told whether they are with it. */
  readonly mayGo: readonly string[]
  readonly certain: boolean
  readonly doubts: readonly string[]
}

export interface ApplicationPreview {
  readonly namespace: string
  /** Empty where a template function makes it that is not worked out here. */
  readonly name: string
  readonly cluster: string
  readonly applicationSet: string
  /** What becomes of it and of its workload. */
  readonly effect: string
}

export const NO_PREVIEW: PlanPreview = { placements: [], applications: { made: [], lost: [] } }

function selectedOf(explanation: PlacementExplanation | undefined): readonly string[] {
  return explanation?.selected ?? []
}

function placementPreview(key: string, before: WhatIf, after: WhatIf): PlacementPreview | undefined {
  const now = after.explanations.get(key)
  if (now === undefined) return undefined
  const then = selectedOf(before.explanations.get(key))
  const leaves = then.filter(cluster => !now.selected.includes(cluster))
  // What passes every filter, or may, goes only if the scheduler does not choose it.
  const mayStay = new Set(now.certain ? [] : now.candidates)
  const slash = key.indexOf('/')
  return {
    namespace: key.slice(0, slash),
    name: key.slice(slash + 1),
    selected: now.selected,
    notSelected: now.notSelected.map(({ cluster, reason, detail }) => ({ cluster, reason, detail })),
    comes: now.selected.filter(cluster => !then.includes(cluster)),
    goes: leaves.filter(cluster => !mayStay.has(cluster)),
    mayGo: leaves.filter(cluster => mayStay.has(cluster)),
    certain: now.certain,
    doubts: now.doubts,
  }
}

/** Clusters that an ApplicationSet makes Applications for: decided on, and known to its Argo CD by a secret or soon to be. */
function generatedFor(fleet: Fleet, link: AppSetLink): ReadonlySet<string> {
  const { byName } = fleet.join(clusterSecrets)
  const { of } = fleet.join(registration)
  const clusters = link.generators.flatMap(g => [...g.clusters])
  return new Set(
    clusters.filter(cluster => {
      const key = registrationKey(link.argoNamespace, cluster)
      return byName.has(key) || of.has(key)
    }),
  )
}

function made(before: Fleet, after: Fleet): readonly ApplicationPreview[] {
  const former = before.join(appSets).byKey
  const there = before.join(applications).byKey
  return after.join(appSets).all.flatMap(link => {
    const earlier = former.get(appSetKey(link.appSet))
    const known = earlier === undefined ? new Set<string>() : generatedFor(before, earlier)
    const { namespace, name } = link.appSet.meta
    return [...generatedFor(after, link)].sort().flatMap((cluster): ApplicationPreview[] => {
      const rendered = renderFor(after, link, cluster)
      const app = { namespace: rendered?.namespace ?? namespace, name: rendered?.name ?? '', cluster }
      if (app.name === '' ? known.has(cluster) : there.has(`${app.namespace}/${app.name}`)) return []
      return [{ ...app, applicationSet: `${namespace}/${name}`, effect: 'it is made' }]
    })
  })
}

/** What becomes of an Application that its ApplicationSet does not make any more; undefined where it stays. */
function effectOfLoss({ appSet }: AppSetLink, { app, model }: AppLink): string | undefined {
  if (appSet.applicationsSync === 'create-only' || appSet.applicationsSync === 'create-update') return undefined
  if (app.meta.finalizers.some(f => f.startsWith(RESOURCES_FINALIZER))) {
    return 'it is deleted and its resources are pruned from the cluster'
  }
  return model === 'pull'
    ? 'it is deleted, but its ManifestWork and the Application on the cluster stay and keep syncing'
    : 'it is deleted, and its resources stay on the cluster without an owner'
}

function lost(before: Fleet, after: Fleet): readonly ApplicationPreview[] {
  const byKey = before.join(applications).byKey
  const later = after.join(appSets).byKey
  return before.join(appSets).all.flatMap(link => {
    const next = later.get(appSetKey(link.appSet))
    // Without any decision object to read, the generator fails and everything is kept (push-pull.md 1.8).
    if (next === undefined || next.generators.every(g => g.decisions.length === 0)) return []
    const had = generatedFor(before, link)
    const has = generatedFor(after, next)
    const names = new Set([...has].flatMap(cluster => renderFor(after, next, cluster)?.name ?? []))
    const isMade = (app: string, cluster: string): boolean =>
      names.size > 0 || has.size === 0 ? names.has(app) : has.has(cluster)
    return link.owned.flatMap((app): ApplicationPreview[] => {
      const { namespace, name, deleting } = app.meta
      const appLink = byKey.get(`${namespace}/${name}`)
      if (appLink === undefined || deleting !== undefined) return []
      const cluster = appLink.cluster || [...had].find(c => renderFor(before, link, c)?.name === name) || ''
      // What is not made now is gone without the change, too.
      if (!had.has(cluster) || isMade(name, cluster)) return []
      const effect = effectOfLoss(next, appLink)
      if (effect === undefined) return []
      const { meta } = link.appSet
      return [{ namespace, name, cluster, applicationSet: `${meta.namespace}/${meta.name}`, effect }]
    })
  })
}

/**
 * What a change does to Placements and to the Applications that follow from them.
 *
 * @param touched keys (`namespace/name`) of Placements to show even where nothing changes for them
 */
export function previewOf(before: WhatIf, after: WhatIf, touched: ReadonlySet<string>): PlanPreview {
  const placements = [...after.explanations.keys()]
    .sort()
    .map(key => placementPreview(key, before, after))
    .filter(p => p !== undefined)
    .filter(p => touched.has(`${p.namespace}/${p.name}`) || p.comes.length + p.goes.length + p.mayGo.length > 0)
  return {
    placements,
    applications: { made: made(before.fleet, after.fleet), lost: lost(before.fleet, after.fleet) },
  }
}
