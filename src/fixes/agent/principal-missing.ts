import type { Finding } from '../../checks/check.ts'
import { ACM_AGENT_AUTH } from '../../plan/manifests/argocd.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

function noArgoCd({ subject: { kind } }: Finding): string | undefined {
  return kind === 'ArgoCD'
    ? undefined
    : 'there is no ArgoCD resource that could become a principal; see "bootstrap agent"'
}

export const principalMissingFix: Fix = {
  code: 'FLT0841',
  does: 'switch the principal of the ArgoCD on',
  risk: 'agents connect and carry out the Applications that are meant for them',
  safe: false,
  kinds: ['ArgoCD'],
  hinders: noArgoCd,
  repair(input) {
    const principal = {
      enabled: true,
      destinationBasedMapping: true,
      auth: ACM_AGENT_AUTH,
      server: { route: { enabled: true } },
    }
    return {
      steps: [
        edit(
          input,
          input.finding.subject,
          { spec: { argoCDAgent: { principal } } },
          'the agents that are registered have nothing to connect to',
        ),
      ],
    }
  },
}
