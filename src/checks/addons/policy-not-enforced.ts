import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { gitopsPolicies } from './policy-support.ts'

export const policyNotEnforced: Check = {
  code: 'FLT0908',
  slug: 'policy-not-enforced',
  title: 'Policies that install Argo CD are enforced',
  severity: 'warning',
  category: 'addons',
  models: ['pull', 'agent'],
  needs: { hub: ['Policy'] },
  docs: {
    why: 'A Policy that is disabled is taken away from the clusters; one with `remediationAction: inform` only reports. What it installed before stays and is not kept up any more. The default of an OperatorPolicy is inform, so a policy that does not say enforce installs nothing.',
    remedy: 'Set `spec.disabled: false` and `spec.remediationAction: enforce`.',
    sources: ['push-pull 1.16'],
  },
  *run(fleet) {
    for (const policy of gitopsPolicies(fleet)) {
      const inform = policy.remediationAction.toLowerCase() === 'inform'
      if (!policy.disabled && !inform) continue
      const { name, namespace } = policy.meta
      yield {
        subject: policy.subject,
        message: `Policy "${name}" in namespace "${namespace}" sets up Argo CD on clusters but is ${policy.disabled ? 'disabled' : 'not enforced (inform)'}.`,
        evidence: [
          fact(policy, '.spec.disabled', policy.disabled),
          fact(policy, '.spec.remediationAction', policy.remediationAction || 'absent'),
        ],
        effect: 'nothing is installed, and what is there is not kept up',
        fix: policy.disabled ? 'set spec.disabled: false' : 'set spec.remediationAction: enforce',
        breaks: false,
      }
    }
  },
}
