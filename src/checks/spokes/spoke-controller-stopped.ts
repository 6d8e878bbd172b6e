import { inputsOf } from '../../fleet/fleet.ts'
import { reconciled } from '../../fleet/joins/reconciled.ts'
import { groupBy } from '../../fleet/maps.ts'
import { applicationController, RECONCILIATION_KINDS, staleAfter } from '../argo/reconciliation.ts'
import type { Check } from '../check.ts'
import { fact, lasting, names, olderThan, timeText } from '../support.ts'

export const spokeControllerStopped: Check = {
  code: 'FLT0520',
  slug: 'spoke-controller-stopped',
  title: 'The application controller of every spoke is at work',
  severity: 'error',
  category: 'spokes',
  models: ['pull', 'agent'],
  needs: { hub: ['Application'], spoke: ['Application'] },
  uses: inputsOf(reconciled, { spoke: [...RECONCILIATION_KINDS, 'ArgoCD'] }),
  docs: {
    why: 'When the application controller of a spoke stops, the status of its Applications freezes as it was, Synced and Healthy. Only `reconciledAt` on the spoke tells, and a revision older than that of other clusters. With `timeout.reconciliation: 0` nothing is looked at by the clock, and the check says nothing.',
    remedy: 'Look at the StatefulSet of the application controller on the spoke.',
    sources: ['push-pull 1.12', 'agent-mode 4.6', 'seen on running controllers: 1.12'],
  },
  *run(fleet) {
    const spoken = fleet.join(reconciled).filter(r => r.at !== 'hub' && r.app.reconciledAt !== undefined)
    for (const [cluster, list] of groupBy(spoken, r => r.at)) {
      const view = fleet.spokes.get(cluster)
      const newest = Math.max(...list.map(r => r.app.reconciledAt ?? 0))
      const first = list[0]
      if (view === undefined || first === undefined) continue
      const namespace = first.app.controllerNamespace || first.app.meta.namespace
      const limit = staleAfter(view, namespace)
      if (limit === undefined || !olderThan(view.readAt, newest, limit)) continue
      const controller = applicationController(view, namespace)
      yield {
        subject: controller?.subject ?? view.of('ArgoCD').in(namespace)[0]?.subject ?? first.app.subject,
        message: `No Application on cluster "${cluster}" was reconciled for ${lasting(view.readAt, newest)}: its application controller does not work.`,
        evidence: list.slice(0, 5).map(r => fact(r.app, '.status.reconciledAt', timeText(r.app.reconciledAt))),
        effect: `Synced and Healthy of ${names(list.map(r => r.app.meta.name))} are old; nothing changes there any more`,
        fix: `on ${cluster}: oc -n ${namespace} get statefulset,pods; start the application controller`,
        through: list.map(r => r.app.subject),
      }
    }
  },
}
