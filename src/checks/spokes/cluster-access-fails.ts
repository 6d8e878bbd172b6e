import { shortMessage } from '../argo/messages.ts'
import { remedy } from '../argo/remedies.ts'
import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

export const clusterAccessFails: Check = {
  code: 'FLT0513',
  slug: 'cluster-access-fails',
  title: 'Argo CD can reach and use the cluster of every Application',
  severity: 'error',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'Argo CD works from a cache of the cluster: a dead token, proxy or API server shows only when something must be written or the cache ends, often in the message of an operation alone.',
    remedy:
      'Look at the cluster secret, at the ManagedServiceAccount behind its token, at the cluster proxy and at the cluster itself.',
    sources: ['push-pull 1.7, 1.9', 'seen on running controllers: 1.7, 1.9'],
  },
  *run(fleet) {
    for (const g of gather(fleet, ['unauthorized', 'cluster-unreachable', 'cluster-unknown', 'cluster-ambiguous'])) {
      yield {
        subject: g.subject,
        message: `${head(g)} cannot reach its cluster: ${shortMessage(g.first.text)}.`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect: 'nothing can be compared or synced there; what is shown may be old',
        fix: remedy(g.first.kind, g.first.text),
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
