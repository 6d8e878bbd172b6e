import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

export const syncWindowBlocks: Check = {
  code: 'FLT0524',
  slug: 'sync-window-blocks',
  title: 'No sync waits for a sync window',
  severity: 'warning',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'A sync window of the AppProject forbids syncs for a time. It is meant so; but the Application stays as it was, and on the hub a pull Application shows nothing but Running or OutOfSync.',
    remedy: 'Wait for the window, or allow manual syncs in it (`manualSync: true`).',
    sources: ['argoproj/argo-cd:controller/sync.go'],
  },
  *run(fleet) {
    for (const g of gather(fleet, ['sync-window'])) {
      yield {
        subject: g.subject,
        breaks: true,
        message: `${head(g)} waits for a sync window of project "${g.first.of.app.project}".`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect: 'the cluster does not get what Git says until the window opens',
        fix: 'wait for the window, or set manualSync: true in it and sync by hand',
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
