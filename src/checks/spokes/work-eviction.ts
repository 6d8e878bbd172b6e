import { groupBy } from '../../fleet/maps.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { ago, count, fact, MINUTE, names } from '../support.ts'

/** Grace of the work agent for what has lost its ManifestWork or its hub (ocm pkg/work/spoke, push-pull.md 1.11). */
const GRACE = 60 * MINUTE

export const workEviction: Check = {
  code: 'FLT0529',
  slug: 'work-eviction',
  title: 'Nothing on a cluster is about to be removed because its hub has gone',
  severity: 'error',
  category: 'spokes',
  models: ['pull'],
  needs: { hub: ['ManagedCluster'], spoke: ['AppliedManifestWork'] },
  docs: {
    why: 'What a ManifestWork brought carries the hash of its hub. When the cluster moves to another hub, or the ManifestWork is lost on the hub, the work agent waits an hour and then removes everything that it had applied, Applications and their workload included. Nothing on the hub says so.',
    remedy:
      'Restore the ManifestWork (on the old hub), or take over the resources with a ManifestWork of the new hub before the hour is over.',
    sources: ['push-pull 1.11', 'failures in the field K-4'],
  },
  *run(fleet) {
    for (const [cluster, view] of fleet.spokes) {
      const all = view.of('AppliedManifestWork').all
      const evicted = all.filter(w => w.evictionStart !== undefined && w.meta.deleting === undefined)
      for (const list of groupBy(evicted, w => w.hubHash).values()) {
        const first = [...list].sort((a, b) => (a.evictionStart ?? 0) - (b.evictionStart ?? 0))[0]
        if (first?.evictionStart === undefined) continue
        const lost = list.flatMap(w => w.appliedResources)
        const apps = lost.filter(r => r.group === 'argoproj.io' && r.resource === 'applications')
        const hubs = new Set(all.map(w => w.hubHash))
        const left = Math.max(0, Math.round((first.evictionStart + GRACE - view.readAt) / MINUTE))
        yield {
          subject: first.subject,
          message: `The work agent of cluster "${cluster}" has begun ${ago(view.readAt, first.evictionStart)} to evict ${count(list.length, 'ManifestWork')} (${names(list.map(w => w.manifestWorkName))}): ${count(lost.length, 'object')} will be removed in ${left} minutes.`,
          evidence: [
            ...list
              .slice(0, 5)
              .map(w =>
                fact(
                  w,
                  '.status.evictionStartTime',
                  w.evictionStart === undefined ? '' : new Date(w.evictionStart).toISOString(),
                ),
              ),
            fact(first, '.spec.hubHash', `${first.hubHash.slice(0, 12)}…, ${count(hubs.size, 'hub')} on this cluster`),
          ],
          effect:
            apps.length > 0 ? `Applications ${names(apps.map(a => a.name))} go with their workload` : 'the objects go',
          fix: 'restore the ManifestWork on its hub before the hour is over, or deliver the same objects by a ManifestWork of this hub',
          because: [{ subject: subject('hub', 'ManagedCluster', '', cluster) }],
          through: apps.map(a => subject(cluster, 'Application', a.namespace, a.name)),
          clusters: [cluster],
        }
      }
    }
  },
}
