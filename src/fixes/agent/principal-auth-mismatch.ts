import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { ACM_AGENT_AUTH } from '../../plan/manifests/argocd.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

/** The expression is that of certificates which ACM's add-on has signed; others have names of their own. */
function otherCertificates(_: Finding, fleet: Fleet): string | undefined {
  return fleet.hub.of('GitOpsCluster').all.some(goc => goc.agentEnabled)
    ? undefined
    : 'no GitOpsCluster installs these agents, so what their certificates say is not known'
}

export const principalAuthMismatchFix: Fix = {
  code: 'FLT0802',
  does: 'give the principal the expression that fits the certificates of the agents',
  risk: 'the operator restarts the principal: agents are cut off for some seconds',
  safe: true,
  kinds: ['ArgoCD'],
  hinders: otherCertificates,
  repair(input) {
    return {
      steps: [
        edit(
          input,
          input.finding.subject,
          { spec: { argoCDAgent: { principal: { auth: ACM_AGENT_AUTH } } } },
          "it takes the cluster's name out of the certificate that the add-on framework signs",
        ),
      ],
    }
  },
}
