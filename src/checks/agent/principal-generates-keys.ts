import { principals } from '../../fleet/joins/agents.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { AGENT_INPUTS, notAgentHub, principalDeployment } from './agent-support.ts'

const VARIABLES = {
  ARGOCD_PRINCIPAL_TLS_SERVER_ALLOW_GENERATE: 'its server certificate',
  ARGOCD_PRINCIPAL_JWT_ALLOW_GENERATE: 'its signing key',
} as const

export const principalGeneratesKeys: Check = {
  code: 'FLT0827',
  slug: 'principal-generates-keys',
  title: 'The principal does not make up its own certificate or key',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Deployment'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'With `insecureGenerate` the principal makes a certificate or signing key of its own at each start. Agents cannot verify the one and lose their sessions with the other. It is meant for tests only.',
    remedy:
      'Set `spec.argoCDAgent.principal.tls.insecureGenerate` and `.jwt.insecureGenerate` to false; the GitOpsCluster writes both Secrets.',
    sources: ['agent-mode 1.2, 1.4'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      const deployment = principalDeployment(fleet, principal)
      const made = Object.entries(VARIABLES).filter(([name]) => deployment?.env[name] === 'true')
      if (deployment === undefined || made.length === 0) continue
      yield {
        subject: principal.argo.subject,
        message: `The principal of ArgoCD "${principal.argo.meta.name}" generates ${made.map(([, what]) => what).join(' and ')} by itself.`,
        evidence: made.map(([name]) => fact(deployment, `env ${name}`, 'true')),
        effect: 'agents cannot verify whom they talk to, and every restart cuts their sessions',
        fix: 'set insecureGenerate: false below spec.argoCDAgent.principal.tls and .jwt',
        breaks: false,
      }
    }
  },
}
