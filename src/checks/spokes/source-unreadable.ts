import { shortMessage } from '../argo/messages.ts'
import { remedy } from '../argo/remedies.ts'
import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

export const sourceUnreadable: Check = {
  code: 'FLT0501',
  slug: 'source-unreadable',
  title: 'Argo CD can render the source of every Application',
  severity: 'error',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'A path, revision or chart that does not exist, or manifests that cannot be rendered, leave sync at Unknown. Health stays Healthy, since the resources of before are still there, or none are; a branch name instead of a commit as revision is the pattern on the hub. When all Applications of an ApplicationSet fail alike its template is wrong.',
    remedy:
      'Correct `path`, `targetRevision` or the manifests. For a single cluster add its directory to the repository.',
    sources: ['push-pull 1.12', 'seen on running controllers: 1.12'],
  },
  *run(fleet) {
    for (const g of gather(fleet, ['path-missing', 'revision-missing', 'rendering', 'plugin-missing', 'signature'])) {
      yield {
        subject: g.subject,
        message: `${head(g)} cannot be rendered: ${shortMessage(g.first.text)}.`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect: 'sync is Unknown and nothing changes any more; health may still say Healthy',
        fix: `${remedy(g.first.kind, g.first.text)}${g.shared ? '; all Applications of the ApplicationSet fail alike, so its template is what to look at' : '; if it is for this cluster alone, take the cluster out of the Placement'}`,
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
