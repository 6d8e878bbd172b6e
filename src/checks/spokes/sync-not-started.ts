import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

export const syncNotStarted: Check = {
  code: 'FLT0506',
  slug: 'sync-not-started',
  title: 'Applications without automated sync were synced',
  severity: 'warning',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'An Application without `syncPolicy.automated` stays OutOfSync and Missing until somebody starts a sync. On the hub this looks like a sync that has not happened yet.',
    remedy: 'Add `syncPolicy.automated` to the template, or start a sync by hand.',
    sources: ['push-pull 1.10, 1.12'],
  },
  *run(fleet) {
    for (const g of gather(fleet, ['not-started'])) {
      yield {
        subject: g.subject,
        breaks: true,
        message: `${head(g)} ${g.shared ? 'wait' : 'waits'}: compared but never synced: there is no automated sync and nobody has started one.`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect: 'nothing is deployed',
        fix: 'set syncPolicy.automated, or start a sync (for pull: .operation on the hub Application is propagated)',
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
