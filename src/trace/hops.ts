import { heardAt } from '../checks/agent/agent-support.ts'
import { conditionText, lasting, names } from '../checks/support.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { parsesTrue, skipsReconcile } from '../fleet/joins/applications.ts'
import { condition } from '../fleet/joins/clusters.ts'
import {
  AGENT_NAME,
  type ClusterSecret,
  clusterSecrets,
  DATA_SOURCE,
  isBlank,
  registration,
  registrationKey,
} from '../fleet/joins/registration.ts'
import { reports } from '../fleet/joins/reports.ts'
import { placementKey, selection } from '../fleet/joins/selection.ts'
import type { Way } from '../fleet/joins/ways.ts'
import { workName, works } from '../fleet/joins/works.ts'
import { PULL_NAMESPACE, SKIP_RECONCILE } from '../fleet/labels.ts'
import type { Placement } from '../fleet/records.ts'
import { missing, subject } from '../fleet/subject.ts'
import { addAgent } from './agent-hops.ts'
import { addSpokeApplication, appText } from './application-hops.ts'
import { HopBuilder } from './hop-builder.ts'

function secretText(s: ClusterSecret): string {
  if (AGENT_NAME in s.meta.labels)
    return `of agent ${s.meta.labels[AGENT_NAME] ?? ''}${parsesTrue(s.meta.annotations[SKIP_RECONCILE]) ? ', skip-reconcile set' : ''}`
  if (isBlank(s)) return 'blank: no credentials'
  const source = s.meta.labels[DATA_SOURCE]
  return source === undefined ? `server ${s.cluster.server}` : `credentials by ${source}`
}

function addPlacement(b: HopBuilder, fleet: Fleet, placement: Placement, parent: number | null): number {
  const decided = fleet.join(selection).byPlacement.get(placementKey(placement.meta.namespace, placement.meta.name))
  const list = [...(decided?.clusters ?? [])].sort()
  return b.add(placement.subject, parent, 'selects', {
    message: `${list.length} selected${list.length === 0 ? '' : `: ${names(list)}`}`,
    since: condition(placement, 'PlacementSatisfied')?.since,
  })
}

/** ApplicationSet, its Placements, the GitOpsClusters that register the cluster, and its secrets. */
function addUpstream(b: HopBuilder, fleet: Fleet, way: Way): number | null {
  const { appSet, cluster, argoNamespace } = way
  let top: number | null = null
  if (appSet !== undefined) {
    const error = condition(appSet.appSet, 'ErrorOccurred')
    top = b.add(appSet.appSet.subject, null, 'generates', {
      message: error?.status === 'True' ? error.message : `${appSet.owned.length} generated`,
      since: error?.since,
    })
    for (const g of appSet.generators) {
      for (const p of g.placements) addPlacement(b, fleet, p.placement, top)
      for (const name of g.placementNames) {
        if (g.placements.some(p => p.placement.meta.name === name)) continue
        b.add(missing(subject('hub', 'Placement', argoNamespace, name)), top, 'selects', { message: 'does not exist' })
      }
    }
  }
  const secrets = fleet.join(clusterSecrets).byName.get(registrationKey(argoNamespace, cluster)) ?? []
  let registrar: number | null = top
  for (const r of fleet.join(registration).all) {
    if (r.argoNamespace !== argoNamespace || (r.decided !== undefined && !r.decided.clusters.has(cluster))) continue
    const parent =
      r.decided === undefined
        ? top
        : (b.indexOf(r.decided.placement.subject) ?? addPlacement(b, fleet, r.decided.placement, top))
    const ready = condition(r.goc, 'Ready')
    registrar = b.add(r.goc.subject, parent, 'registers', {
      message:
        ready === undefined ? r.goc.phase || 'no conditions' : ready.status === 'True' ? 'Ready' : conditionText(ready),
      since: r.goc.lastUpdate ?? ready?.since,
    })
  }
  for (const s of secrets) {
    const msa = fleet.hub
      .of('ManagedServiceAccount')
      .all.find(m => m.meta.namespace === cluster && s.meta.name.includes(m.meta.name))
    const expiry =
      msa?.expires === undefined || way.model !== 'push'
        ? ''
        : `, token valid until ${new Date(msa.expires).toISOString().slice(0, 16)}Z`
    b.add(s.subject, registrar, 'registers', { message: `${secretText(s)}${expiry}`, since: s.meta.created })
  }
  return top
}

function addHubApplication(b: HopBuilder, fleet: Fleet, way: Way, top: number | null, remembered: string): number {
  const app = way.link?.app
  if (app === undefined)
    return b.add(way.subject, top, 'generates', {
      message: `does not exist${remembered === '' ? '' : `; ${remembered}`}`,
      state: 'n/a',
    })
  if (app.meta.deleting !== undefined) {
    return b.add(app.subject, top, 'generates', {
      message: `being deleted for ${lasting(fleet.now, app.meta.deleting)}`,
      since: app.meta.deleting,
      state: 'waiting',
    })
  }
  if (way.model === 'pull') {
    const skip = skipsReconcile(app) ? 'skip-reconcile set' : 'reconciled on the hub too'
    return b.add(app.subject, top, 'generates', {
      message: `${skip}; reported ${appText(app)}`,
      since: app.reconciledAt ?? app.meta.created,
      source: app.sync === '' ? '' : 'copied from the spoke',
    })
  }
  return b.add(app.subject, top, 'generates', {
    message: appText(app),
    // What an agent sends moves even where the comparison on the spoke stands still.
    since: (way.model === 'agent' && way.link !== undefined ? heardAt(way.link) : app.reconciledAt) || app.meta.created,
    source: way.model === 'agent' ? 'sent by the agent' : '',
  })
}

function addPull(b: HopBuilder, fleet: Fleet, way: Way, application: number): void {
  const app = way.link?.app
  const all = fleet.join(works).byApp.get(way.key) ?? []
  const expected = app === undefined ? undefined : workName(app)
  const current = all.find(w => w.cluster === way.cluster && (expected === undefined || w.work.meta.name === expected))
  let last = application
  for (const w of all) {
    const applied = condition(w.work, 'Applied')
    const available = condition(w.work, 'Available')
    const said = [applied, available].flatMap(c =>
      c === undefined ? [] : [c.status === 'True' ? c.type : `${c.type}=${conditionText(c)}`],
    )
    const index = b.add(w.work.subject, application, 'wraps', {
      message: `${w.work.meta.deleting === undefined ? '' : `being deleted for ${lasting(fleet.now, w.work.meta.deleting)}; `}${said.length === 0 ? 'no conditions' : said.join(', ')}`,
      state: w.work.meta.deleting === undefined ? 'ok' : 'waiting',
      since: applied?.since,
    })
    if (w === current) last = index
  }
  if (current === undefined && app !== undefined && way.cluster !== '' && expected !== undefined) {
    const at = subject('hub', 'ManifestWork', way.cluster, expected)
    if (!fleet.hub.knows('ManifestWork')) last = b.add(at, application, 'wraps', { message: '' })
    else last = b.add(missing(at), application, 'wraps', { message: 'does not exist', state: 'n/a' })
  }
  const payload = (current ?? all[0])?.payload
  const namespace = payload?.meta.namespace ?? app?.meta.annotations[PULL_NAMESPACE]
  if (way.cluster !== '' && (current !== undefined || all.length > 0)) {
    addSpokeApplication(
      b,
      fleet,
      way,
      last,
      namespace ?? way.subject.namespace,
      payload?.meta.name ?? way.subject.name,
      current ?? all[0],
    )
  }
  const set = way.appSet?.appSet
  const report =
    set === undefined ? undefined : fleet.join(reports).byAppSet.get(`${set.meta.namespace}/${set.meta.name}`)
  const entry = report?.entries.find(e => e.cluster === way.cluster)
  if (report !== undefined) {
    b.add(report.subject, application, 'reports', {
      message: entry === undefined ? `no entry for ${way.cluster}` : `${entry.sync}, ${entry.health}`,
      source: 'aggregated from ManifestWorks',
      since: entry?.startedAt,
    })
  }
}

/** The hops of a way, upstream first, as the objects themselves tell; findings are laid over them afterwards. */
export function draftHops(fleet: Fleet, way: Way, remembered: string): HopBuilder {
  const builder = new HopBuilder(fleet)
  const top = addUpstream(builder, fleet, way)
  const application = addHubApplication(builder, fleet, way, top, remembered)
  if (way.model === 'pull') addPull(builder, fleet, way, application)
  if (way.model === 'agent') addAgent(builder, fleet, way, application)
  return builder
}
