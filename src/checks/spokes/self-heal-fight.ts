import { shortMessage } from '../argo/messages.ts'
import type { Check } from '../check.ts'
import { appsOf, gather, head, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

export const selfHealFight: Check = {
  code: 'FLT0509',
  slug: 'self-heal-fight',
  title: 'Nothing undoes what Argo CD heals',
  severity: 'warning',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'OutOfSync with self-heal, although the last sync of the same revision succeeded, and a growing count of heal attempts: another actor writes the same objects. No condition tells it.',
    remedy:
      'Find the other writer by the managedFields of the object. If the field is not yours, use `ignoreDifferences`.',
    sources: ['seen on running controllers: 1.9'],
  },
  *run(fleet) {
    for (const g of gather(fleet, ['fights'])) {
      yield {
        subject: g.subject,
        breaks: true,
        message: `${head(g)} is changed back again and again by something else (${shortMessage(g.first.text)}).`,
        evidence: g.list.slice(0, 5).flatMap(p => p.evidence),
        effect: 'the resource flips between two contents; Argo CD heals it with growing pauses',
        fix: 'find who writes the resource (managedFields, audit log) and stop it, or ignore the field with ignoreDifferences',
        because: g.list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(g.list),
      }
    }
  },
}
