import { isTrue } from '../../fleet/joins/clusters.ts'
import { reports } from '../../fleet/joins/reports.ts'
import { groupBy } from '../../fleet/maps.ts'
import { missing, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact, names } from '../support.ts'

const ADDON = 'search-collector'

export const reportWithoutReason: Check = {
  code: 'FLT0707',
  slug: 'report-without-reason',
  title: 'Reports can say why a delivery fails',
  severity: 'info',
  category: 'status',
  models: ['pull'],
  needs: { hub: ['MulticlusterApplicationSetReport', 'ManagedClusterAddOn'] },
  docs: {
    why: 'Sync and health in a report come from the feedback of ManifestWorks, the texts of errors from search alone. Without add-on `search-collector` on the cluster, or without search on the hub, a failing entry has no reason: the report says OutOfSync or Degraded and nothing more.',
    remedy:
      'Install or repair `search-collector` on the cluster; until then read the Application on the cluster itself.',
    sources: ['push-pull 1.13, 7.2 (R02)', 'failures in the field F-9'],
  },
  *run(fleet) {
    const failing = fleet.join(reports).entries.filter(({ entry }) => {
      const bad =
        (entry.health !== '' && !['Healthy', 'Progressing'].includes(entry.health)) || entry.sync === 'OutOfSync'
      return bad && entry.app !== '' && entry.conditions.length === 0
    })
    for (const [cluster, list] of groupBy(failing, e => e.entry.cluster)) {
      const addon = fleet.hub.of('ManagedClusterAddOn').get(cluster, ADDON)
      if (addon !== undefined && isTrue(addon, 'Available')) continue
      const at = subject('hub', 'ManagedClusterAddOn', cluster, ADDON)
      yield {
        subject: addon?.subject ?? missing(at),
        message: `Reports give no reason for what fails on cluster "${cluster}" (${names(list.map(e => e.report.meta.name))}): add-on "${ADDON}" is ${addon === undefined ? 'not installed there' : 'not available'}.`,
        evidence: [
          addon === undefined ? fact(missing(at), '', 'does not exist') : conditionFact(addon, 'Available'),
          ...list
            .slice(0, 5)
            .map(e =>
              fact(
                e.report,
                `.statuses.clusterConditions[${cluster}]`,
                `${e.entry.sync}/${e.entry.health}, conditions empty`,
              ),
            ),
        ],
        effect: 'the hub shows that the delivery fails, and not why',
        fix: `install or repair add-on ${ADDON} on ${cluster}; until then look at the Application on the cluster`,
        because: [{ subject: subject('hub', 'ManagedCluster', '', cluster) }],
        breaks: false,
      }
    }
  },
}
