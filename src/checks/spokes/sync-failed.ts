import { shortMessage } from '../argo/messages.ts'
import type { ProblemKind } from '../argo/problems.ts'
import { remedy } from '../argo/remedies.ts'
import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

/** What a sync fails of that has no check of its own: answers of the API server, and messages of unknown form. */
const KINDS: readonly ProblemKind[] = [
  'failed',
  'other',
  'kind-missing',
  'immutable',
  'invalid',
  'webhook',
  'webhook-down',
  'admission',
  'escalation',
  'conflict',
  'modified',
  'quota',
  'too-large',
  'annotation-size',
]

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
    remedy:
      'Mend what the message names: install the operator that brings a missing kind, recreate an object with an immutable field, satisfy the webhook or admission policy, settle who owns a field, raise the quota, use server-side apply for large objects. Then start a sync if the retries are used up.',
    sources: ['push-pull 1.9, 1.12'],
  },
  *run(fleet) {
    for (const g of gather(fleet, KINDS)) {
      yield {
        subject: g.subject,
        message: `${head(g)} cannot be synced: ${shortMessage(g.first.text)}.`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect: 'the cluster does not have what Git says',
        fix: remedy(g.first.kind, g.first.text),
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
