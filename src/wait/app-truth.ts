import { staleAfter } from '../checks/argo/reconciliation.ts'
import { conditionText, lasting } from '../checks/support.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { clusters, condition, isReporting } from '../fleet/joins/clusters.ts'
import { reports } from '../fleet/joins/reports.ts'
import type { Way } from '../fleet/joins/ways.ts'
import { isWorkName, type WorkLink, workName, works } from '../fleet/joins/works.ts'
import type { Application } from '../fleet/records.ts'

/** How an Application is where it runs. */
export interface KnownState {
  readonly known: true
  readonly sync: string
  readonly health: string
  /** Phase of the last or running sync; empty where there was none. */
  readonly phase: string
  /** A sync is asked for and has not begun. */
  readonly pending: boolean
  readonly message: string
  /** Which object said so; empty for the Application itself. */
  readonly source: string
  /** Epoch milliseconds. */
  readonly asOf: number | undefined
}

/** Nothing that can be believed is known: `waiting` where the controllers have yet to get there. */
interface UnknownState {
  readonly known: false
  readonly state: 'waiting' | 'unknown'
  readonly reason: string
  readonly source: string
}

export type AppTruth = KnownState | UnknownState

const unknown = (reason: string, source = ''): UnknownState => ({ known: false, state: 'unknown', reason, source })
const waiting = (reason: string, source = ''): UnknownState => ({ known: false, state: 'waiting', reason, source })

function ofApplication(app: Application, source: string): AppTruth {
  if (app.sync === '' && app.health === '') return waiting('has no status yet', source)
  return {
    known: true,
    sync: app.sync,
    health: app.health,
    phase: app.operation?.phase ?? '',
    pending: app.operationPending,
    message: app.operation?.message || app.healthMessage,
    source,
    asOf: app.reconciledAt,
  }
}

/** The Application as the spoke itself has it, where the spoke was read. */
function onSpoke(fleet: Fleet, way: Way, namespace: string): AppTruth | undefined {
  const view = fleet.spokes.get(way.cluster)
  if (view === undefined) return undefined
  const source = `cluster ${way.cluster}`
  const app =
    view.of('Application').get(namespace, way.subject.name) ??
    (way.model === 'agent' ? view.of('Application').all.find(a => a.meta.name === way.subject.name) : undefined)
  if (app !== undefined) {
    if (app.meta.deleting !== undefined) return waiting(`is being deleted on ${way.cluster}`, source)
    return ofApplication(app, source)
  }
  return view.knows('Application') ? waiting(`is not on ${way.cluster} yet`, source) : undefined
}

/** What keeps the newest spec from having reached the spoke; until then no status there is about it. */
function notApplied({ work }: WorkLink): AppTruth | undefined {
  const applied = condition(work, 'Applied')
  const source = 'ManifestWork'
  if (applied === undefined) return waiting('the ManifestWork has not been picked up', source)
  if ((applied.observedGeneration ?? work.meta.generation) < work.meta.generation)
    return waiting('the newest ManifestWork has not been applied', source)
  return applied.status === 'True'
    ? undefined
    : waiting(`the ManifestWork is not applied: ${conditionText(applied)}`, source)
}

/** What the work agent reports: only while the cluster is heard and the object is there (push-pull 1.11: values are kept). */
function fromFeedback(way: Way, app: Application, work: WorkLink): AppTruth {
  const source = 'ManifestWork feedback'
  const available = work.status === undefined ? undefined : condition(work.status, 'Available')
  if (work.status === undefined || available?.status !== 'True')
    return unknown('the ManifestWork does not say that the Application is on the cluster', source)
  const { healthStatus, syncStatus, operationStatePhase = '' } = work.status.feedback
  const asOf = condition(work.status, 'StatusFeedbackSynced')?.since
  if (healthStatus === undefined && syncStatus === undefined)
    return waiting(`no Argo CD on ${way.cluster} has written a status yet`, source)
  return {
    known: true,
    sync: syncStatus ?? '',
    health: healthStatus ?? '',
    phase: operationStatePhase,
    pending: app.operationPending,
    message: '',
    source,
    asOf,
  }
}

/** The report is a copy of the feedback, without its conditions: it counts only where ManifestWorks could not be read. */
function fromReport(fleet: Fleet, way: Way, app: Application): AppTruth {
  const found = (fleet.join(reports).byApp.get(way.key) ?? []).find(
    e => e.entry.cluster === way.cluster && isWorkName(e.workName, app),
  )
  const why = fleet.hub.coverage('ManifestWork')
  const reason = 'reason' in why && why.reason !== undefined ? why.reason : 'ManifestWorks could not be read'
  if (found === undefined) return unknown(reason)
  const { sync, health, phase } = found.entry
  const source = 'MulticlusterApplicationSetReport'
  return { known: true, sync, health, phase, pending: app.operationPending, message: '', source, asOf: undefined }
}

function pulled(fleet: Fleet, way: Way, app: Application): AppTruth {
  if (way.cluster === '') return waiting('names no cluster to be pulled to')
  const work = (fleet.join(works).byApp.get(way.key) ?? []).find(
    w => w.cluster === way.cluster && isWorkName(w.work.meta.name, app),
  )
  const behind = work === undefined ? undefined : notApplied(work)
  const spoke = onSpoke(fleet, way, work?.payload?.meta.namespace ?? way.subject.namespace)
  if (spoke !== undefined) return behind ?? spoke
  const managed = fleet.join(clusters).byName.get(way.cluster)
  if (managed === undefined && !fleet.hub.knows('ManagedCluster'))
    return unknown(`whether cluster ${way.cluster} is heard could not be read`)
  if (!isReporting(managed)) return unknown(`cluster ${way.cluster} is not heard, so what it last said may be old`)
  if (work !== undefined) return behind ?? fromFeedback(way, app, work)
  return fleet.hub.knows('ManifestWork')
    ? waiting(`has no ManifestWork ${way.cluster}/${workName(app)} yet`)
    : fromReport(fleet, way, app)
}

/** The hub's copy is whole in agent mode, but only as fresh as the agent's last word (agent-mode 4.5, 4.6, 8 A16). */
function byAgent(fleet: Fleet, way: Way, app: Application): AppTruth {
  const spoke = onSpoke(fleet, way, way.subject.namespace)
  if (spoke !== undefined) return spoke
  const heard = Math.max(app.reconciledAt ?? 0, app.agentWroteAt ?? 0)
  const limit = staleAfter(undefined, '')
  if (heard > 0 && limit !== undefined && fleet.now - heard >= limit)
    return unknown(`the agent of ${way.cluster} has sent nothing for ${lasting(fleet.now, heard)}`, "hub's copy")
  return ofApplication(app, "hub's copy")
}

/**
 * How an Application is where it runs. In the pull model that is what the spoke says, or the feedback of its ManifestWork while
 * the cluster is heard; never the hub's own copy, which stays as it was. By an agent it is the spoke, or the copy that the
 * agent keeps fresh. Pushed and local ones are reconciled on the hub.
 */
export function appTruth(fleet: Fleet, way: Way): AppTruth {
  const app = way.link?.app
  if (app === undefined) return waiting('does not exist yet')
  switch (way.model) {
    case 'pull':
      return pulled(fleet, way, app)
    case 'agent':
      return byAgent(fleet, way, app)
    case 'push':
    case 'local':
      return ofApplication(app, '')
    default:
      return waiting(`how it is delivered cannot be told: ${way.link?.reason ?? ''}`)
  }
}
