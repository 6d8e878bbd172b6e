import { inputsOf } from '../../fleet/fleet.ts'
import { applications, skipsReconcile } from '../../fleet/joins/applications.ts'
import { groupBy } from '../../fleet/maps.ts'
import { subject } from '../../fleet/subject.ts'
import { applicationController, RECONCILIATION_KINDS, staleAfter } from '../argo/reconciliation.ts'
import type { Check } from '../check.ts'
import { fact, lasting, names, olderThan, timeText } from '../support.ts'

export const hubControllerBehind: Check = {
  code: 'FLT0413',
  slug: 'hub-controller-behind',
  title: 'The application controller of the hub looks at its Applications in time',
  severity: 'error',
  category: 'applications',
  models: ['push', 'local'],
  needs: { hub: ['Application'] },
  uses: inputsOf(applications, { hub: RECONCILIATION_KINDS }),
  docs: {
    why: 'When the application controller stops, or has more Applications than it can look at, statuses stay as they were: Synced and Healthy may be hours old, and a cluster that is gone is still green. Only `reconciledAt` tells. With `timeout.reconciliation: 0` nothing is looked at by the clock, and the check says nothing.',
    remedy:
      'All old: see that the controller runs. Some old: give it more processors, or shard it (`spec.controller.sharding`).',
    sources: ['push-pull 1.9', 'failures in the field K-6'],
  },
  *run(fleet) {
    const own = fleet
      .join(applications)
      .all.filter(
        l =>
          (l.model === 'push' || l.model === 'local') &&
          !skipsReconcile(l.app) &&
          l.app.reconciledAt !== undefined &&
          l.app.meta.deleting === undefined,
      )
    for (const [namespace, list] of groupBy(own, l => l.argoNamespace)) {
      const limit = staleAfter(fleet.hub, namespace)
      if (limit === undefined) continue
      const old = list.filter(l => olderThan(fleet.now, l.app.reconciledAt, limit))
      const first = old[0]
      if (first === undefined) continue
      const all = old.length === list.length
      const newest = Math.max(...old.map(l => l.app.reconciledAt ?? 0))
      const controller = applicationController(fleet.hub, namespace)
      const argo = fleet.hub.of('ArgoCD').in(namespace)[0]
      yield {
        subject: all ? (controller?.subject ?? argo?.subject ?? first.app.subject) : first.app.subject,
        severity: all ? 'error' : 'warning',
        message: all
          ? `No Application of Argo CD in namespace "${namespace}" has been reconciled for ${lasting(fleet.now, newest)}: its application controller does not work.`
          : `${old.length} of ${list.length} Applications of Argo CD in namespace "${namespace}" have not been reconciled for ${lasting(fleet.now, newest)} (${names(old.map(l => l.app.meta.name))}).`,
        evidence: old.slice(0, 5).map(l => fact(l.app, '.status.reconciledAt', timeText(l.app.reconciledAt))),
        effect: 'their status is old; changes in Git are not seen',
        fix: all
          ? `oc -n ${namespace} get statefulset,pods; start the application controller`
          : 'give the application controller more processors, or shard it',
        because: [
          ...(argo === undefined ? [] : [{ subject: argo.subject }]),
          ...old.slice(0, 20).map(l => ({ subject: l.app.subject })),
          ...[...new Set(old.map(l => l.cluster))]
            .slice(0, 20)
            .map(c => ({ subject: subject('hub', 'ManagedCluster', '', c) })),
        ],
        through: old.map(l => l.app.subject),
        breaks: all,
      }
    }
  },
}
