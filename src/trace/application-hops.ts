import { shortMessage } from '../checks/argo/messages.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { clusters, condition, isReporting } from '../fleet/joins/clusters.ts'
import type { Way } from '../fleet/joins/ways.ts'
import type { WorkLink } from '../fleet/joins/works.ts'
import type { Application } from '../fleet/records.ts'
import { missing, subject } from '../fleet/subject.ts'
import type { HopBuilder } from './hop-builder.ts'

/** Sync, health and what became of the last operation. */
export function appText(app: Application): string {
  if (app.sync === '' && app.health === '') return 'no status'
  const op = app.operation
  const why = op === undefined || op.message === '' ? '' : `: ${shortMessage(op.message)}`
  const running = op !== undefined && op.phase !== 'Succeeded' && op.phase !== '' ? `, operation ${op.phase}${why}` : ''
  return `${app.sync || 'no sync status'}, ${app.health || 'no health'}${running}`
}

function feedbackText(work: WorkLink): string {
  const f = work.status?.feedback ?? {}
  if (f.healthStatus === undefined && f.syncStatus === undefined) return 'no feedback values'
  return `${f.syncStatus ?? 'no sync status'}, ${f.healthStatus ?? 'no health'}${f.operationStatePhase === undefined || f.operationStatePhase === 'Succeeded' ? '' : `, operation ${f.operationStatePhase}`}`
}

/** The Application on the spoke, or, where that was not read, what its ManifestWork says of it. */
export function addSpokeApplication(
  b: HopBuilder,
  fleet: Fleet,
  way: Way,
  parent: number,
  namespace: string,
  name: string,
  work: WorkLink | undefined,
): number {
  const at = subject(way.cluster, 'Application', namespace, name)
  const view = fleet.spokes.get(way.cluster)
  const app = view?.of('Application').get(namespace, name)
  if (app !== undefined) {
    return b.add(at, parent, 'delivers', { message: appText(app), since: app.reconciledAt ?? app.meta.created })
  }
  if (view?.knows('Application'))
    return b.add(missing(at), parent, 'delivers', { message: 'does not exist', state: 'ok' })
  const available = work?.status === undefined ? undefined : condition(work.status, 'Available')
  if (work === undefined || available?.status !== 'True')
    return b.add(at, parent, 'delivers', { message: `cluster ${way.cluster} was not read` })
  const heard = isReporting(fleet.join(clusters).byName.get(way.cluster))
  return b.add(at, parent, 'delivers', {
    message: feedbackText(work),
    state: heard ? 'ok' : 'stale',
    since: work.status === undefined ? undefined : condition(work.status, 'StatusFeedbackSynced')?.since,
    source: 'ManifestWork feedback',
  })
}
