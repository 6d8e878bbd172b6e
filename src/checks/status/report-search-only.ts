import { reports } from '../../fleet/joins/reports.ts'
import { groupBy } from '../../fleet/maps.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const reportSearchOnly: Check = {
  code: 'FLT0705',
  slug: 'report-search-only',
  title: 'Every entry of a report belongs to a ManifestWork',
  severity: 'warning',
  category: 'status',
  models: ['pull'],
  needs: { hub: ['MulticlusterApplicationSetReport'] },
  docs: {
    why: 'An entry without `app` is known from search alone: the Application is on that cluster, and no ManifestWork of this hub brings it. It was left over after the ManifestWork was deleted without its finalizer, or another hub delivers it. The summary of the report does not count it.',
    remedy: 'Delete the Application on the cluster if nobody needs it; know that its finalizer prunes its workload.',
    sources: ['push-pull 1.13'],
  },
  *run(fleet) {
    const loose = fleet.join(reports).entries.filter(e => e.entry.app === '' && e.entry.cluster !== '')
    for (const [report, list] of groupBy(loose, e => e.report)) {
      const { name } = report.meta
      yield {
        subject: report.subject,
        message: `The report of ApplicationSet "${name}" lists ${names(list.map(e => e.entry.cluster))}, where no ManifestWork delivers it.`,
        evidence: [
          ...list.slice(0, 5).map(e => fact(report, `.statuses.clusterConditions[${e.entry.cluster}].app`, 'absent')),
          fact(report, '.statuses.summary.clusters', report.summary.clusters ?? 'absent'),
        ],
        effect: 'an Application there is managed by nobody on this hub, or by another hub',
        fix: `look at the Application on ${names(list.map(e => e.entry.cluster))}; delete it there if nobody needs it`,
        because: list.map(e => ({ subject: subject('hub', 'ManagedCluster', '', e.entry.cluster) })),
        breaks: false,
      }
    }
  },
}
