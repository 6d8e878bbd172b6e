import { shortMessage } from '../argo/messages.ts'
import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

export const syncFailed: Check = {
  code: 'FLT0512',
  slug: 'sync-failed',
  title: 'No sync fails',
  severity: 'error',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'The operation of the Application failed, or is tried again and again, with a message of the API server or of Argo CD.',
    remedy: 'Mend what the message names; then start a sync if the retries are used up.',
    sources: ['push-pull 1.9, 1.12'],
  },
  *run(fleet) {
    for (const g of gather(fleet, ['failed', 'other', 'kind-missing', 'immutable', 'webhook', 'conflict', 'quota'])) {
      yield {
        subject: g.subject,
        message: `${head(g)} cannot be synced: ${shortMessage(g.first.text)}.`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect: 'the cluster does not have what Git says',
        fix:
          g.first.kind === 'kind-missing'
            ? 'install the operator that brings the kind first (sync waves, or SkipDryRunOnMissingResource=true)'
            : g.first.kind === 'immutable'
              ? 'recreate the resource (sync option Replace=true, or delete it)'
              : g.first.kind === 'webhook'
                ? 'change what the admission webhook refuses'
                : g.first.kind === 'conflict'
                  ? 'let one manager own the field, or force'
                  : 'mend what the message names',
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
