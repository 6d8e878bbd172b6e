import { missingNamespace, shortMessage } from '../argo/messages.ts'
import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

export const destinationNamespaceMissing: Check = {
  code: 'FLT0503',
  slug: 'destination-namespace-missing',
  title: 'The destination namespace of every Application exists',
  severity: 'error',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'Argo CD creates a namespace only with the sync option `CreateNamespace=true`. A namespace that is being terminated refuses everything with "is forbidden", which is no matter of rights.',
    remedy:
      'Add `CreateNamespace=true` to `syncPolicy.syncOptions` of the template, or deliver the namespace. Sync again when the retries are used up.',
    sources: ['push-pull 1.12', 'seen on running controllers: 1.12'],
  },
  *run(fleet) {
    for (const g of gather(fleet, ['namespace-missing', 'terminating'])) {
      yield {
        subject: g.subject,
        message: `${head(g)} cannot be synced: ${g.first.kind === 'terminating' ? `its namespace is being terminated (${shortMessage(g.first.text)})` : `namespace "${missingNamespace(g.first.text) ?? ''}" does not exist`}.`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect: 'the resources of that namespace are not deployed; after its retries Argo CD gives up',
        fix:
          g.first.kind === 'terminating'
            ? 'finish the deletion of the namespace'
            : 'add syncOptions CreateNamespace=true, or create the namespace, then sync again',
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
