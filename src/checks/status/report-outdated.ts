import { appSets } from '../../fleet/joins/appsets.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { reports } from '../../fleet/joins/reports.ts'
import { type WorkLink, works } from '../../fleet/joins/works.ts'
import { indexBy } from '../../fleet/maps.ts'
import type { ReportEntry } from '../../fleet/records.ts'
import { missing, subject } from '../../fleet/subject.ts'
import type { Check, Evidence } from '../check.ts'
import { hubApp, PULL_INPUTS, pullSwitchCauses } from '../delivery/pull-support.ts'
import { ago, fact, MINUTE, names, olderThan, SECOND } from '../support.ts'

/** Aggregation runs every 10 seconds; a report may be one round behind (push-pull.md 1.13), and with many works a round takes. */
function writtenWithin(works: number): number {
  return Math.min(MINUTE, 15 * SECOND + works * 50)
}

/** When the feedback last changed: the transition time is reset whenever values change (push-pull.md 7.1). */
function changedAt(work: WorkLink): number | undefined {
  return work.status === undefined ? undefined : condition(work.status, 'StatusFeedbackSynced')?.since
}

function agrees(said: string, is: string | undefined): boolean {
  return is === undefined || said === is
}

function differences(entry: ReportEntry, work: WorkLink): Evidence[] {
  const feedback = work.status?.feedback ?? {}
  if (
    agrees(entry.sync, feedback.syncStatus) &&
    agrees(entry.health, feedback.healthStatus) &&
    agrees(entry.revision, feedback.syncRevision) &&
    agrees(entry.phase, feedback.operationStatePhase)
  )
    return []
  const pairs: readonly (readonly [string, string, string | undefined])[] = [
    ['syncStatus', entry.sync, feedback.syncStatus],
    ['healthStatus', entry.health, feedback.healthStatus],
    ['syncRevision', entry.revision, feedback.syncRevision],
    ['operationStatePhase', entry.phase, feedback.operationStatePhase],
  ]
  return pairs
    .filter(([, said, is]) => is !== undefined && said !== is)
    .map(([name, said, is]) =>
      fact(work.work, `feedback ${name}`, `${is ?? ''}, while the report says ${said || 'nothing'}`),
    )
}

export const reportOutdated: Check = {
  code: 'FLT0701',
  slug: 'report-outdated',
  title: 'Reports of pull ApplicationSets are up to date',
  severity: 'error',
  category: 'status',
  models: ['pull'],
  needs: { hub: ['MulticlusterApplicationSetReport', 'ManifestWork', 'ApplicationSet'] },
  uses: PULL_INPUTS,
  docs: {
    why: 'The aggregation controller writes the feedback of the ManifestWorks into one report per ApplicationSet every ten seconds, and the hub Applications are filled from it. When it stops, reports and hub statuses freeze, and a new ApplicationSet has no report at all, while the spokes are fine. One entry per cluster is all that a report can hold.',
    remedy:
      'Look at the aggregation container of the pull controllers (its memory limit is small). Read the ManifestWork feedback for the truth.',
    sources: ['push-pull 1.13'],
  },
  *run(fleet) {
    const { byAppSet: byReport } = fleet.join(reports)
    const within = writtenWithin(fleet.join(works).all.length)
    for (const [key, list] of fleet.join(works).byAppSet) {
      const set = fleet.join(appSets).byKey.get(key)
      if (set === undefined || set.appSet.meta.deleting !== undefined) continue
      const living = list.filter(w => w.work.meta.deleting === undefined && hubApp(fleet, w) !== undefined)
      const report = byReport.get(key)
      const { namespace, name } = set.appSet.meta
      if (report === undefined) {
        if (!fleet.hub.knows('MulticlusterApplicationSetReport', namespace, name)) continue
        const old = living.filter(w => olderThan(fleet.now, w.work.meta.created, within))
        if (old.length === 0) continue
        const at = missing(subject('hub', 'MulticlusterApplicationSetReport', namespace, name))
        yield {
          subject: at,
          message: `Pull ApplicationSet "${name}" has ManifestWorks on ${names(old.map(w => w.cluster))} and no report.`,
          evidence: [
            fact(at, '', 'does not exist'),
            ...old
              .slice(0, 5)
              .map(w => fact(w.work, '.metadata.creationTimestamp', ago(fleet.now, w.work.meta.created))),
          ],
          effect: 'its hub Applications have no status, whatever the spokes say',
          fix: 'see that the aggregation controller runs',
          because: pullSwitchCauses(fleet),
        }
        continue
      }
      const entries = indexBy(report.entries, e => e.app)
      const stale = living.flatMap(w => {
        const entry = entries.get(`${w.appKey}/${w.cluster}/${w.work.meta.name}`)
        if (!olderThan(fleet.now, changedAt(w), within)) return []
        if (entry?.cluster === w.cluster) return differences(entry, w)
        // One entry is all that a cluster has: that of another Application is a finding of its own.
        if (report.entries.some(e => e.cluster === w.cluster)) return []
        return [
          fact(
            w.work,
            'feedback healthStatus',
            `${w.status?.feedback.healthStatus ?? 'none'}, while the report has no entry`,
          ),
        ]
      })
      if (stale.length === 0) continue
      yield {
        subject: report.subject,
        message: `The report of pull ApplicationSet "${name}" is older than what its ManifestWorks say.`,
        evidence: stale.slice(0, 8),
        effect: 'report and hub Applications show an old state',
        fix: 'see that the aggregation controller runs; until then read the feedback of the ManifestWorks',
        because: [...pullSwitchCauses(fleet), ...living.map(w => ({ subject: w.work.subject, codes: ['FLT0603'] }))],
      }
    }
  },
}
