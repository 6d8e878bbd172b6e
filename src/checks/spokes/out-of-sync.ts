import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

export const outOfSync: Check = {
  code: 'FLT0515',
  slug: 'out-of-sync',
  title: 'No Application stays OutOfSync',
  severity: 'warning',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'Automated sync does not try a revision again that failed or that it has synced already; manual sync waits for somebody.',
    remedy: 'Start a sync and read its result.',
    sources: ['push-pull 1.9'],
  },
  *run(fleet) {
    for (const g of gather(fleet, ['out-of-sync'])) {
      // With automated sync nobody holds anything back: what is missing is gone, and nobody brings it back.
      const gone = g.list.some(({ of: { app } }) => app.health === 'Missing' && app.syncPolicy.automated)
      yield {
        subject: g.subject,
        ...(gone ? { severity: 'error' as const } : {}),
        breaks: true,
        message: `${head(g)} has been OutOfSync for some time${gone ? ' with resources that are missing' : ''}, and no operation is under way.`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect: 'the cluster does not have what Git says',
        fix: 'start a sync, and read its message',
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
