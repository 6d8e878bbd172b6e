import { reconciled } from '../../fleet/joins/reconciled.ts'
import type { Check } from '../check.ts'
import { ago, fact, MINUTE, names, olderThan } from '../support.ts'

const STUCK_AFTER = 10 * MINUTE

export const spokeAppDeletionStuck: Check = {
  code: 'FLT0521',
  slug: 'spoke-app-deletion-stuck',
  title: 'No Application on a spoke hangs in its deletion',
  severity: 'error',
  category: 'spokes',
  models: ['pull', 'agent'],
  needs: { hub: ['Application'], spoke: ['Application'] },
  uses: reconciled.inputs,
  docs: {
    why: 'The Argo CD of the spoke removes the finalizer when it has pruned everything. A controller that is down, a namespace that it does not watch or a running operation keeps it, and with it the ManifestWork on the hub.',
    remedy: 'Start the controller, or end the operation. Stripping the finalizer leaves the workload behind.',
    sources: ['push-pull 1.11, 1.14'],
  },
  *run(fleet) {
    for (const { app, at, work } of fleet.join(reconciled)) {
      if (at === 'hub' || !olderThan(fleet.now, app.meta.deleting, STUCK_AFTER)) continue
      yield {
        subject: app.subject,
        message: `Application "${app.meta.name}" on cluster "${at}" was deleted ${ago(fleet.now, app.meta.deleting)} and cannot go.`,
        evidence: [
          fact(app, '.metadata.finalizers', names(app.meta.finalizers)),
          ...(app.operation === undefined ? [] : [fact(app, '.status.operationState.phase', app.operation.phase)]),
        ],
        effect: 'its workload stays, and the ManifestWork on the hub waits for it',
        fix: `on ${at}: see that the application controller runs; end a running operation`,
        because: [{ subject: app.subject, codes: ['FLT0504', 'FLT0511', 'FLT0520'] }],
        through: work === undefined ? [app.subject] : [app.subject, work.work.subject],
      }
    }
  },
}
