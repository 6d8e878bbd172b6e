import { applications } from '../../fleet/joins/applications.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { reports } from '../../fleet/joins/reports.ts'
import { works } from '../../fleet/joins/works.ts'
import { getOrAdd } from '../../fleet/maps.ts'
import type { Subject } from '../../fleet/subject.ts'
import type { Check, Evidence } from '../check.ts'
import { PULL_INPUTS } from '../delivery/pull-support.ts'
import { fact, MINUTE, names, olderThan } from '../support.ts'

/** The status controller writes on every change of the report; two rounds of aggregation and feedback are 40 seconds. */
const WRITTEN_WITHIN = MINUTE

export const hubStatusDiffers: Check = {
  code: 'FLT0708',
  slug: 'hub-status-differs',
  title: 'Hub Applications say what their reports say',
  severity: 'info',
  category: 'status',
  models: ['pull'],
  needs: { hub: ['MulticlusterApplicationSetReport', 'Application', 'ManifestWork'] },
  uses: PULL_INPUTS,
  docs: {
    why: 'The status of a pull Application on the hub is copied from the report. When the two differ for longer than a round, the status controller does not come through, or the entry belongs to another ManifestWork than the Application. An Application that stays Progressing while the report says Healthy is a known quirk of that controller and no fault.',
    remedy:
      'Trust the ManifestWork feedback. Look at the propagation controller (container for the status) if it stays.',
    sources: ['push-pull 1.13, 7.2 (R01)', 'seen on running controllers: 1.13'],
  },
  *run(fleet) {
    const links = fleet.join(applications).byKey
    const { byName } = fleet.join(works)
    const found = new Map<Subject, { evidence: Evidence[]; apps: string[] }>()
    for (const { entry, appKey, workKey, report } of fleet.join(reports).entries) {
      const link = links.get(appKey)
      const work = byName.get(workKey)
      const changed = work?.status === undefined ? undefined : condition(work.status, 'StatusFeedbackSynced')?.since
      if (link === undefined || work === undefined || !olderThan(fleet.now, changed, WRITTEN_WITHIN)) continue
      const { app } = link
      const quirk = app.health === 'Progressing' && entry.health === 'Healthy'
      const same = app.sync === entry.sync && (app.health === entry.health || quirk)
      if (same || app.meta.deleting !== undefined || app.sync === '') continue
      const at = getOrAdd(found, report.subject, () => ({ evidence: [], apps: [] }))
      at.apps.push(app.meta.name)
      at.evidence.push(
        fact(app, '.status', `${app.sync}/${app.health}, while the report says ${entry.sync}/${entry.health}`),
      )
    }
    for (const [subject, { evidence, apps }] of found) {
      yield {
        subject,
        message: `${names(apps.map(a => `Application "${a}"`))} on the hub ${apps.length === 1 ? 'does' : 'do'} not say what ${apps.length === 1 ? 'its' : 'their'} report says.`,
        evidence: evidence.slice(0, 8),
        effect: 'lists of Applications on the hub show an old state',
        fix: 'read the report or the ManifestWork feedback; look at the propagation controller if it stays',
        because: [{ subject }, ...evidence.map(e => ({ subject: e.subject }))],
        breaks: false,
      }
    }
  },
}
