import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { copiesOf, gitopsPolicies } from './policy-support.ts'

export const policyNoncompliant: Check = {
  code: 'FLT0906',
  slug: 'policy-noncompliant',
  title: 'Policies that install Argo CD are compliant everywhere',
  severity: 'warning',
  category: 'addons',
  models: ['pull', 'agent'],
  needs: { hub: ['Policy'] },
  docs: {
    why: 'With the GitOps add-on, Argo CD on a cluster is set up by a Policy. Where it is NonCompliant the ArgoCD, the agent or its rights are not what they should be; while the operator is being installed that is normal for some minutes. The reason stands in the copy of the policy in the namespace of the cluster.',
    remedy:
      'Read the message: a CRD that is not there yet (operator), an admission refusal, a right that the policy controller lacks.',
    sources: ['agent-mode 5 (48), 8 (A14)', 'push-pull 1.16'],
  },
  *run(fleet) {
    for (const policy of gitopsPolicies(fleet)) {
      const bad = policy.clusterStatus.filter(s => s.compliant === 'NonCompliant').map(s => s.cluster)
      if (bad.length === 0) continue
      const copies = copiesOf(fleet, policy)
      const told = bad.flatMap(cluster => {
        const copy = copies.get(cluster)
        return copy === undefined
          ? []
          : copy.violations.slice(0, 1).map(text => fact(copy, '.status.details[].history[0].message', text))
      })
      yield {
        subject: policy.subject,
        message: `Policy "${policy.meta.name}" in namespace "${policy.meta.namespace}" is not compliant on ${names(bad)}${told[0] === undefined ? '' : `: ${told[0].value}`}.`,
        evidence: [fact(policy, '.status.compliant', policy.compliant || 'empty'), ...told.slice(0, 5)],
        effect: 'Argo CD there, or what it may do, is not as the hub wants it',
        fix: 'mend what the message names on the cluster',
        because: bad.flatMap(c => [
          { subject: subject('hub', 'ManagedCluster', '', c) },
          { subject: subject('hub', 'ManagedClusterAddOn', c, 'config-policy-controller') },
          { subject: subject('hub', 'ManagedClusterAddOn', c, 'governance-policy-framework') },
        ]),
        clusters: bad,
        breaks: false,
      }
    }
  },
}
