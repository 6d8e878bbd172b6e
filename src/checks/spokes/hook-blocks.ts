import { subject } from '../../fleet/subject.ts'
import { shortMessage, waitedHook } from '../argo/messages.ts'
import type { Check } from '../check.ts'
import { fact, lasting, timeText } from '../support.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

export const hookBlocks: Check = {
  code: 'FLT0504',
  slug: 'hook-blocks',
  title: 'No hook holds up a sync',
  severity: 'error',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'A sync waits for its hooks without a limit: a PreSync Job that never ends keeps everything else from being applied, and even blocks the deletion of the Application, whose finalizer is not handled while an operation runs. On the hub only phase Running shows.',
    remedy:
      'Look at the hook (mostly a Job) and its pods on the cluster. Terminate the operation (`argocd app terminate-op`) or repair the hook.',
    sources: ['push-pull 1.12', 'seen on running controllers: 1.11/1.14'],
  },
  *run(fleet) {
    for (const g of gather(fleet, ['hook', 'hook-waits'])) {
      const { of, since, text, kind } = g.first
      const hook = waitedHook(text)
      const waits = kind === 'hook-waits'
      yield {
        subject: g.subject,
        message: `${head(g)} ${waits ? `has waited for ${lasting(fleet.now, since)} for hook ${hook === undefined ? '' : `${hook.kind}/${hook.name}`}, which does not end` : `cannot be synced: ${shortMessage(text)}`}.`,
        evidence: [
          ...g.first.evidence,
          ...(of.app.meta.deleting === undefined
            ? []
            : [fact(of.app, '.metadata.deletionTimestamp', timeText(of.app.meta.deleting))]),
        ],
        effect: `${waits ? 'everything after the hook is not applied' : 'the sync fails'}${of.app.meta.deleting === undefined ? '' : '; the deletion of the Application is blocked too'}`,
        fix: `on ${of.target}: look at ${hook === undefined ? 'the hook' : `${hook.kind} ${hook.name}`} and its pods; terminate the operation or repair the hook`,
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: [
          ...appsOf(g.list),
          ...(of.work === undefined ? [] : [of.work.work.subject]),
          subject(of.at, 'Application', of.app.meta.namespace, of.app.meta.name),
        ],
      }
    }
  },
}
