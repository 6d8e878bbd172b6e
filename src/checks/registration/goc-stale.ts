import type { Check } from '../check.ts'
import { ago, fact, MINUTE, olderThan, timeText } from '../support.ts'

/** The controller reconciles every 5 minutes whatever happens (since ACM 2.14): three missed rounds are no accident. */
const STALE_AFTER = 15 * MINUTE

export const gocStale: Check = {
  code: 'FLT0207',
  slug: 'goc-stale',
  title: 'The GitOpsCluster controller is at work',
  severity: 'error',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['GitOpsCluster'] },
  docs: {
    why: 'The controller looks at every GitOpsCluster at least every five minutes and notes the time. An old time means that it does not run: tokens are not renewed, clusters not added, deleted ConfigMaps not recreated, while all conditions keep their last value.',
    remedy: 'Look at the Deployment of the controller on the hub (`multicluster-operators-application` in ACM).',
    sources: ['push-pull 1.6, 4.1'],
  },
  *run(fleet) {
    for (const goc of fleet.hub.of('GitOpsCluster').all) {
      if (!olderThan(fleet.now, goc.lastUpdate, STALE_AFTER)) continue
      yield {
        subject: goc.subject,
        // Conditions came with ACM 2.15; without them it may be a version that waits for events (push-pull.md 1.6, 4.2).
        severity: goc.conditions.length > 0 ? 'error' : 'warning',
        message: `GitOpsCluster "${goc.meta.name}" was last reconciled ${ago(fleet.now, goc.lastUpdate)}; its controller does so every 5 minutes${goc.conditions.length > 0 ? '' : ' from ACM 2.14 on'}.`,
        evidence: [fact(goc, '.status.lastUpdateTime', timeText(goc.lastUpdate))],
        effect: 'its conditions are old; no cluster is added and no token renewed',
        fix: 'restart the GitOpsCluster controller on the hub and read its log',
      }
    }
  },
}
