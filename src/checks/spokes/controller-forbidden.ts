import { getOrAdd } from '../../fleet/maps.ts'
import { subject } from '../../fleet/subject.ts'
import type { Forbidden } from '../argo/messages.ts'
import { type Problem, problems } from '../argo/problems.ts'
import { grantNamespace, grantRules } from '../argo/remedies.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { appsOf, appText, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

function right(f: Forbidden): string {
  return `${f.verb} ${f.resource}${f.group === '' ? '' : `.${f.group}`}${f.namespace === '' ? ' at the cluster scope' : ` in ${f.namespace}`}`
}

/** The rule to add, as the object that a team would write for this account: whole, but for its name. */
function grant(at: string, list: readonly Problem[], over: boolean): string {
  const refused = list.flatMap(p => (p.forbidden === undefined ? [] : [p.forbidden]))
  const first = list[0]
  const account = first?.forbidden?.account
  const end = over ? ', then sync again' : ' before the retries are used up'
  if (first === undefined || account === undefined) return `grant what the message names${end}`
  // A pushed Application acts as a ManagedServiceAccount, whose rights the hub hands out.
  if (first.of.at === 'hub' && at !== 'hub' && !first.of.copied) {
    return [
      `give ManagedServiceAccount ${account.name} of ${at} this rule, in a ClusterPermission in namespace ${at} of the hub${end}:`,
      ...grantRules(refused, 'cluster-permission'),
    ].join('\n')
  }
  const namespace = grantNamespace(refused)
  const role = namespace === '' ? 'ClusterRole' : `Role in namespace ${namespace}`
  return [
    `on ${at}: bind a ${role} with this rule to ServiceAccount ${account.namespace}/${account.name}${end}:`,
    ...grantRules(refused, 'binding'),
  ].join('\n')
}

export const controllerForbidden: Check = {
  code: 'FLT0507',
  slug: 'controller-forbidden',
  title: 'Argo CD has the rights that its Applications need',
  severity: 'error',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: PROBLEM_USES,
  docs: {
    why: 'The identity that applies the resources (the local application controller for pull and agent, the ManagedServiceAccount for push) may not do what an Application asks. While Argo CD retries there is no condition: the text stands only in the message of the operation, or of a single resource. After five tries it gives up for good. Health stays Healthy all the time.',
    remedy:
      'Grant the right: a ClusterRoleBinding or RoleBinding for the ServiceAccount, a ClusterPermission for push, or the label `argocd.argoproj.io/managed-by` on the namespace. If the retries are used up, start a sync afterwards.',
    sources: ['push-pull 1.7, 1.9, 1.12, 5 (27)', 'seen on running controllers: 1.9, 1.12'],
  },
  *run(fleet) {
    const byAccount = new Map<string, { at: string; forbidden: Forbidden; list: Problem[] }>()
    for (const p of fleet.join(problems).all) {
      if (p.kind !== 'forbidden' || p.forbidden === undefined) continue
      const { account } = p.forbidden
      const { forbidden } = p
      getOrAdd(byAccount, `${p.of.target}|${account.namespace}/${account.name}`, () => ({
        at: p.of.target,
        forbidden,
        list: [],
      })).list.push(p)
    }
    for (const { at, forbidden, list } of byAccount.values()) {
      const { account } = forbidden
      const rights = [...new Set(list.flatMap(p => (p.forbidden === undefined ? [] : [right(p.forbidden)])))]
      const over = list.filter(p => !p.retrying)
      yield {
        subject: subject(at, 'ServiceAccount', account.namespace, account.name),
        message: `ServiceAccount "${account.name}" in namespace "${account.namespace}" of cluster "${at}" may not ${names(rights, 3)}, which ${names(list.map(appText), 2)} ${list.length === 1 ? 'needs' : 'need'}.`,
        evidence: [
          ...list.slice(0, 5).flatMap(p => p.evidence),
          ...list.slice(0, 1).map(p => fact(p.of.app, '.status', `sync ${p.of.app.sync}, health ${p.of.app.health}`)),
        ],
        effect: `the resources are not applied${over.length > 0 ? '; the retries are used up, so a sync must be started once the right is there' : ', and Argo CD gives up after its retries'}`,
        fix: grant(at, list, over.length > 0),
        because: list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(list),
      }
    }
  },
}
