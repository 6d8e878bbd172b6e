import { shortMessage } from '../argo/messages.ts'
import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

export const workloadProgressing: Check = {
  code: 'FLT0505',
  slug: 'workload-progressing',
  title: 'The workload of every synced Application becomes available',
  severity: 'warning',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'The Application was applied and its resources exist, but a Deployment, StatefulSet or other resource does not report that it is ready. Without progress it turns Degraded after its deadline.',
    remedy: 'Look at the resource that is named, its pods and events on the cluster.',
    sources: ['push-pull 1.9'],
  },
  *run(fleet) {
    for (const g of gather(fleet, ['progressing'])) {
      yield {
        subject: g.subject,
        breaks: true,
        message: `${head(g)} is Synced, but its workload is not available yet${g.first.text === '' ? '' : `: ${shortMessage(g.first.text)}`}.`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect: 'the delivery works; the workload does not',
        fix: 'look at the workload and its pods on the cluster',
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
