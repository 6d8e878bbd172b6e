import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const principalGeneratesKeysFix: Fix = {
  code: 'FLT0827',
  does: 'have the principal use the certificate and key that are written for it',
  risk: 'the operator restarts the principal, which does not start without the Secrets argocd-agent-principal-tls and argocd-agent-jwt',
  safe: false,
  kinds: ['ArgoCD'],
  repair(input) {
    return {
      steps: [
        edit(
          input,
          input.finding.subject,
          {
            spec: {
              argoCDAgent: { principal: { tls: { insecureGenerate: false }, jwt: { insecureGenerate: false } } },
            },
          },
          'the GitOpsCluster writes both Secrets',
        ),
      ],
    }
  },
}
