import { shortMessage } from '../argo/messages.ts'
import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

export const workloadUnhealthy: Check = {
  code: 'FLT0514',
  slug: 'workload-unhealthy',
  title: 'The workload of every Application is healthy',
  severity: 'error',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'The resources were applied, and one of them reports that it is broken.',
    remedy: 'Look at the resource, its pods and events on the cluster.',
    sources: ['push-pull 1.9'],
  },
  *run(fleet) {
    for (const g of gather(fleet, ['unhealthy'])) {
      yield {
        subject: g.subject,
        message: `${head(g)} is ${g.first.of.app.health}${g.first.of.app.sync === 'OutOfSync' ? ' and OutOfSync' : ''}${g.first.text === '' ? '' : `: ${shortMessage(g.first.text)}`}.`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect:
          g.first.of.app.sync === 'OutOfSync'
            ? 'the workload does not work, and is not what Git says'
            : 'the delivery works; the workload does not',
        fix: 'look at the resource that is named, its pods and events on the cluster',
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
