import type { Fleet } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { type WorkLink, works } from '../../fleet/joins/works.ts'
import { missing, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { hubApp, isCurrent, PULL_INPUTS, spokeApp } from '../delivery/pull-support.ts'
import { conditionText, fact, olderThan, SECOND } from '../support.ts'

const APPLIED_WITHIN = 15 * SECOND

/** Is the Application known not to be on the cluster: by the cluster itself, or else by the work agent's word? */
function absent(fleet: Fleet, work: WorkLink): boolean {
  const view = fleet.spokes.get(work.cluster)
  const { payload, status } = work
  if (view?.knows('Application'))
    return view.of('Application').get(payload?.meta.namespace ?? '', payload?.meta.name ?? '') === undefined
  const available = status === undefined ? undefined : condition(status, 'Available')
  return available?.status === 'False' && available.reason === 'ResourceNotAvailable'
}

export const spokeAppMissing: Check = {
  code: 'FLT0518',
  slug: 'spoke-app-missing',
  title: 'Every Application that a ManifestWork delivers is on its cluster',
  severity: 'error',
  category: 'spokes',
  models: ['pull'],
  needs: { hub: ['Application', 'ManifestWork'] },
  uses: inputsOf(PULL_INPUTS, { spoke: ['Application'] }),
  docs: {
    why: 'An Application that is deleted on the spoke by hand takes its workload with it (its finalizer prunes) and is created anew only at the next resync of the work agent, four to six minutes later. Until then the ManifestWork keeps its last feedback values, and report and hub Application go on saying Synced and Healthy.',
    remedy: 'Wait for the resync, or touch the ManifestWork. Delete on the hub, never on the spoke.',
    sources: ['push-pull 1.11, 1.12'],
  },
  *run(fleet) {
    for (const work of fleet.join(works).all) {
      const at = spokeApp(work)
      const { meta } = work.work
      if (at === undefined || meta.deleting !== undefined || !absent(fleet, work)) continue
      if (!olderThan(fleet.now, meta.created, APPLIED_WITHIN)) continue
      const link = hubApp(fleet, work)
      if (link !== undefined && !isCurrent(link, work)) continue
      const available = work.status === undefined ? undefined : condition(work.status, 'Available')
      const health = work.status?.feedback.healthStatus
      yield {
        subject: missing(at),
        message: `Application "${at.name}" is not on cluster "${work.cluster}", although ManifestWork "${meta.name}" delivers it.`,
        evidence: [
          fact(missing(at), '', 'does not exist'),
          fact(
            work.work,
            '.status.resourceStatus.manifests[Application].conditions[Available]',
            available === undefined ? 'absent' : conditionText(available),
          ),
          ...(health === undefined
            ? []
            : [fact(work.work, '.status…statusFeedback', `still ${work.status?.feedback.syncStatus ?? ''}/${health}`)]),
        ],
        effect: 'the workload is gone; Synced and Healthy on the hub are stale',
        fix: 'wait for the resync of the work agent (4 to 6 minutes) or touch the ManifestWork; delete on the hub, never on the spoke',
        because: [
          { subject: subject('hub', 'ManagedCluster', '', work.cluster) },
          { subject: work.work.subject, codes: ['FLT0604', 'FLT0605', 'FLT0606', 'FLT0607'] },
          { subject: subject(work.cluster, 'CustomResourceDefinition', '', 'applications.argoproj.io') },
        ],
        through: [work.work.subject],
      }
    }
  },
}
