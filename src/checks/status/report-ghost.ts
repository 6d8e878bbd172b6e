import { appSets } from '../../fleet/joins/appsets.ts'
import { reports } from '../../fleet/joins/reports.ts'
import { works } from '../../fleet/joins/works.ts'
import { groupBy } from '../../fleet/maps.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { PULL_INPUTS } from '../delivery/pull-support.ts'
import { fact, names } from '../support.ts'

export const reportGhost: Check = {
  code: 'FLT0702',
  slug: 'report-ghost',
  title: 'Reports list only what is delivered',
  severity: 'warning',
  category: 'status',
  models: ['pull'],
  needs: { hub: ['MulticlusterApplicationSetReport', 'ManifestWork', 'Application'] },
  uses: PULL_INPUTS,
  whole: { hub: ['ManifestWork'] },
  docs: {
    why: 'When all Applications of a pull ApplicationSet go, its report keeps the last entries, Healthy, as long as an ApplicationSet of its name exists. An entry also stays while a ManifestWork without an Application does.',
    remedy:
      'Mend the cause of the vanished Applications; the report follows. A report of a deleted ManifestWork can be deleted.',
    sources: ['push-pull 1.13', 'seen on running controllers: 1.13'],
  },
  *run(fleet) {
    const { byName } = fleet.join(works)
    const ghosts = fleet.join(reports).entries.filter(e => e.workName !== '' && !byName.has(e.workKey))
    for (const [report, list] of groupBy(ghosts, g => g.report)) {
      const { namespace, name } = report.meta
      const set = fleet.join(appSets).byKey.get(`${namespace}/${name}`)
      yield {
        subject: report.subject,
        breaks: false,
        message: `The report of ApplicationSet "${name}" still lists ${names(list.map(g => `${g.entry.cluster} (${g.entry.sync}/${g.entry.health})`))}, whose ManifestWork does not exist.`,
        evidence: list.slice(0, 5).map(g => fact(report, '.statuses.clusterConditions[].app', g.entry.app)),
        effect: 'it shows a healthy delivery that does not exist',
        fix: 'mend why the Applications are gone; the report follows',
        because: [
          ...list.map(g => subject('hub', 'ManifestWork', g.entry.cluster, g.workName)),
          subject('hub', 'ApplicationSet', namespace, name),
          ...(set?.generators.flatMap(g => g.placements.map(p => p.placement.subject)) ?? []),
          ...list.map(g => subject('hub', 'ManagedCluster', '', g.entry.cluster)),
          ...list.map(g => subject('hub', 'Application', namespace, g.appKey.slice(namespace.length + 1))),
        ].map(s => ({ subject: s })),
      }
    }
  },
}
