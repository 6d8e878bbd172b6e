import { shortMessage } from '../argo/messages.ts'
import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

export const appStateUnknown: Check = {
  code: 'FLT0533',
  slug: 'app-state-unknown',
  title: 'Argo CD knows the state of every Application',
  severity: 'warning',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'Health Unknown is what a health check leaves that fails itself, sync Unknown a comparison that could not be made. Mostly a condition says why, and another check reads it; without one nothing tells whether the workload is well. Unknown is not Healthy.',
    remedy:
      'Refresh the Application. If it stays Unknown, look at the health check (`resource.customizations.health…` in `argocd-cm`) of the resource that is named, and at the log of the application controller.',
    sources: ['push-pull 1.9'],
  },
  *run(fleet) {
    for (const g of gather(fleet, ['unknown'])) {
      const { app } = g.first.of
      const compared = app.sync !== 'Unknown'
      yield {
        subject: g.subject,
        ...(compared ? {} : { severity: 'error' as const }),
        message: `${head(g)} has ${compared ? 'health' : 'sync'} Unknown, and no condition says why${g.first.text === '' ? '' : ` (${shortMessage(g.first.text)})`}.`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect: compared
          ? 'nobody knows whether the workload works'
          : 'nothing is compared or synced; what is shown may be old',
        fix: 'refresh the Application; if it stays Unknown, look at the health check of its resources and at the log of the application controller',
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
