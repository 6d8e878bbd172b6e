import { groupBy } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { allViews, placeOf, relevantSubscriptions } from './operator-support.ts'

export const operatorGroupDuplicate: Check = {
  code: 'FLT0909',
  slug: 'operator-group-duplicate',
  title: 'No namespace of an operator has two OperatorGroups',
  severity: 'error',
  category: 'addons',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['OperatorGroup', 'Subscription'] },
  uses: { spoke: ['OperatorGroup', 'Subscription'] },
  docs: {
    why: 'OLM installs and updates nothing in a namespace with more than one OperatorGroup, and says so only in a condition of the groups. It happens when a policy or the GitOps add-on brings a group to a namespace that had one.',
    remedy: 'Delete all but one; for a policy use the group that is there.',
    sources: ['push-pull 3', 'agent-mode 5 (53)'],
  },
  *run(fleet) {
    for (const view of allViews(fleet)) {
      const used = new Set(relevantSubscriptions(view).map(s => s.meta.namespace))
      for (const [namespace, list] of groupBy(view.of('OperatorGroup').all, g => g.meta.namespace)) {
        const last = [...list].sort((a, b) => (b.meta.created ?? 0) - (a.meta.created ?? 0))[0]
        if (last === undefined || list.length < 2 || !used.has(namespace)) continue
        yield {
          subject: last.subject,
          message: `Namespace "${namespace}"${placeOf(view)} has ${list.length} OperatorGroups (${names(list.map(g => g.meta.name))}): OLM installs and updates nothing there.`,
          evidence: list.map(g =>
            fact(
              g,
              '.status.conditions',
              g.conditions.map(c => `${c.type} ${c.status} ${c.reason}`).join('; ') || 'none',
            ),
          ),
          effect: 'the operator is not installed, or stays at its version for ever',
          fix: `delete all but one OperatorGroup in ${namespace}`,
          breaks: false,
        }
      }
    }
  },
}
