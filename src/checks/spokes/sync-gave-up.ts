import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

export const syncGaveUp: Check = {
  code: 'FLT0508',
  slug: 'sync-gave-up',
  title: 'No Application gave up before its cause was mended',
  severity: 'error',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'Automated sync tries a revision five times and then leaves it. Rights that are granted later change nothing: the message still says forbidden, but what is left is that nobody tries again.',
    remedy: 'Start a sync, or touch `.operation` on the hub Application (it is propagated to the spoke).',
    sources: ['push-pull 1.12, 5 (27)', 'seen on running controllers: 1.12'],
  },
  *run(fleet) {
    for (const g of gather(fleet, ['gave-up'])) {
      yield {
        subject: g.subject,
        message: `${head(g)} failed while a right was missing that is there now; its retries are used up and nobody tries again.`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect: 'nothing is deployed until a new sync is started or a new commit comes',
        fix: 'start a sync (argocd app sync, or .operation on the hub Application)',
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
