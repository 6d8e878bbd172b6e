import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

export const syncWouldEmpty: Check = {
  code: 'FLT0525',
  slug: 'sync-would-empty',
  title: 'No automated sync would delete everything that an Application has',
  severity: 'warning',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'The source of the Application renders nothing any more, mostly because a path was moved or a kustomization emptied. Automated sync with prune would delete all of its resources; Argo CD refuses that and leaves the Application OutOfSync.',
    remedy:
      'Correct the source. If everything should go, delete the Application, or set `syncPolicy.automated.allowEmpty: true`.',
    sources: ['argoproj/argo-cd:controller/appcontroller.go'],
  },
  *run(fleet) {
    for (const g of gather(fleet, ['would-empty'])) {
      yield {
        subject: g.subject,
        breaks: true,
        message: `${head(g)} renders to nothing: automated sync would delete all of its resources and does not run.`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect: 'what is on the cluster stays as it was; changes in Git have no effect',
        fix: 'correct path or revision of the source; to delete everything on purpose delete the Application',
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
