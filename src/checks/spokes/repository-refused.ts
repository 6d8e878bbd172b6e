import { shortMessage } from '../argo/messages.ts'
import type { ProblemKind } from '../argo/problems.ts'
import { remedy } from '../argo/remedies.ts'
import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

const KINDS: readonly ProblemKind[] = [
  'repository-auth',
  'repository-host-key',
  'repository-tls',
  'repository-unreachable',
]

export const repositoryRefused: Check = {
  code: 'FLT0502',
  slug: 'repository-refused',
  title: 'Argo CD can read the repository of every Application',
  severity: 'error',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'With pull and agent the Argo CD of the spoke reads Git itself: credentials that exist on the hub only do not help. Agents get repository secrets only if these are scoped to a project.',
    remedy:
      'Create the repository Secret where the Application is reconciled, and check host key, TLS and network there.',
    sources: ['push-pull 1.12', 'agent-mode 4.3, 5 (41)'],
  },
  *run(fleet) {
    for (const g of gather(fleet, KINDS)) {
      yield {
        subject: g.subject,
        message: `${head(g)} cannot read the repository: ${shortMessage(g.first.text)}.`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect: 'nothing can be compared or synced',
        fix: `${remedy(g.first.kind, g.first.text)}; ${
          g.first.of.at === 'hub'
            ? 'it belongs into the Argo CD namespace of the hub'
            : 'it belongs into the Argo CD namespace of each spoke, which reads Git itself'
        } (Secret with label argocd.argoproj.io/secret-type=repository)`,
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
