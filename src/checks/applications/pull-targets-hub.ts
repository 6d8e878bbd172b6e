import { applications } from '../../fleet/joins/applications.ts'
import { clusters } from '../../fleet/joins/clusters.ts'
import { workName, works } from '../../fleet/joins/works.ts'
import { groupBy } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { fact, names, olderThan, SECOND } from '../support.ts'

const WRITTEN_WITHIN = 15 * SECOND

export const pullTargetsHub: Check = {
  code: 'FLT0409',
  slug: 'pull-targets-hub',
  title: 'No pull Application that is not delivered targets the hub itself',
  severity: 'warning',
  category: 'applications',
  models: ['pull'],
  needs: { hub: ['Application', 'ManagedCluster', 'ManifestWork'] },
  uses: applications.inputs,
  whole: { hub: ['ManifestWork'] },
  perObject: ['ManifestWork'],
  docs: {
    why: 'ACM 2.12 to 2.16 do not propagate to the hub as its own managed cluster; only a log line says so. The Application stays without a ManifestWork and without a status, and cannot be refreshed.',
    remedy: 'Keep the hub out of the Placement: a predicate `local-cluster NotIn ["true"]`.',
    sources: ['push-pull 1.10 (5)', 'failures in the field F-3'],
  },
  *run(fleet) {
    const { localName } = fleet.join(clusters)
    if (localName === '') return
    const { byName } = fleet.join(works)
    const left = fleet
      .join(applications)
      .all.filter(
        l =>
          l.pullComplete &&
          l.cluster === localName &&
          l.app.meta.deleting === undefined &&
          olderThan(fleet.now, l.app.meta.created, WRITTEN_WITHIN) &&
          !byName.has(`${localName}/${workName(l.app)}`),
      )
    for (const list of groupBy(left, l => l.appSet?.appSet.meta.uid ?? l.app.meta.uid).values()) {
      const first = list[0]
      if (first === undefined) continue
      yield {
        subject: first.appSet?.appSet.subject ?? first.app.subject,
        message: `${names(list.map(l => `Pull Application "${l.app.meta.name}"`))} ${list.length === 1 ? 'targets' : 'target'} the hub itself ("${localName}") and ${list.length === 1 ? 'is' : 'are'} not delivered.`,
        evidence: list.slice(0, 5).map(l => fact(l.app, '', `target ${localName}, no ManifestWork ${workName(l.app)}`)),
        effect: 'it has neither ManifestWork nor status, whatever it says',
        fix: 'exclude the hub from the Placement (label local-cluster=true), or give this release of ACM an update',
        breaks: false,
      }
    }
  },
}
