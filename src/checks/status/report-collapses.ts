import { inputsOf } from '../../fleet/fleet.ts'
import { appSets } from '../../fleet/joins/appsets.ts'
import { flavour } from '../../fleet/joins/flavour.ts'
import { works } from '../../fleet/joins/works.ts'
import { groupBy } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { PULL_INPUTS } from '../delivery/pull-support.ts'
import { fact, names } from '../support.ts'

export const reportCollapses: Check = {
  code: 'FLT0706',
  slug: 'report-collapses',
  title: 'Pull ApplicationSets make one Application for each cluster',
  severity: 'info',
  category: 'status',
  models: ['pull'],
  needs: { hub: ['ManifestWork', 'ApplicationSet'] },
  uses: inputsOf(PULL_INPUTS, flavour),
  docs: {
    why: 'The report has one entry for each cluster. When an ApplicationSet (with a matrix, say) delivers several Applications to one cluster, the last one listed wins the entry, and the hub Applications of the others never get a status, although they are delivered.',
    remedy:
      'Use one ApplicationSet for each Application, or read the ManifestWork feedback of the others (`fleetctl trace app`).',
    sources: ['push-pull 1.13', 'seen on running controllers: 1.13'],
  },
  *run(fleet) {
    if (fleet.join(flavour) !== 'acm') return
    const { byKey } = fleet.join(appSets)
    for (const [key, list] of fleet.join(works).byAppSet) {
      const set = byKey.get(key)
      if (set === undefined) continue
      const living = list.filter(w => w.work.meta.deleting === undefined)
      const shared = [...groupBy(living, w => w.cluster)].filter(([, own]) => new Set(own.map(w => w.appKey)).size > 1)
      if (shared.length === 0) continue
      yield {
        subject: set.appSet.subject,
        message: `ApplicationSet "${set.appSet.meta.name}" delivers several Applications to ${names(shared.map(([cluster]) => cluster))}; its report has room for one of them.`,
        evidence: shared
          .slice(0, 5)
          .map(([cluster, own]) =>
            fact(set.appSet, '', `${cluster}: ${names(own.map(w => w.appKey.slice(w.appKey.indexOf('/') + 1)))}`),
          ),
        effect: 'the hub Applications of the others have no status, whatever the clusters say',
        fix: 'use one ApplicationSet for each Application, or read the feedback of the ManifestWorks',
        because: list.map(w => ({ subject: w.work.subject })),
        breaks: false,
      }
    }
  },
}
