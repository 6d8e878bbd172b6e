import { certifies, readCertificate } from '../../fleet/certificate.ts'
import { principals } from '../../fleet/joins/agents.ts'
import { PRINCIPAL_TLS } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, agentRegistrars, notAgentHub } from './agent-support.ts'

export const principalAddressNotCertified: Check = {
  code: 'FLT0816',
  slug: 'principal-address-not-certified',
  title: 'The certificate of the principal is good for the address that agents dial',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'GitOpsCluster', 'Secret'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'The certificate is issued for the names that exist at that moment. When it was made before Service or Route existed, or when `serverAddress` was changed to another host, agents refuse the connection ("certificate is valid for …, not …"); the hub shows nothing.',
    remedy:
      'Delete Secret `argocd-agent-principal-tls`; the controller issues it anew with the present names. Then restart the principal.',
    sources: ['agent-mode 1.7, 5 (16), 8 (A08)', 'failures in the field H-4'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      const { namespace } = principal.argo.meta
      const secret = fleet.hub.of('Secret').get(namespace, PRINCIPAL_TLS)
      const certificate = readCertificate(secret?.certificate)
      if (secret === undefined || certificate === undefined) continue
      for (const { goc } of agentRegistrars(fleet, principal)) {
        if (goc.serverAddress === '' || certifies(certificate, goc.serverAddress)) continue
        yield {
          subject: secret.subject,
          message: `Agents dial "${goc.serverAddress}", but the certificate of the principal is good for ${names(certificate.names, 4)} only.`,
          evidence: [
            fact(goc, '.spec.gitopsAddon.argoCDAgent.serverAddress', goc.serverAddress),
            fact(secret, 'names of the certificate', names(certificate.names, 10)),
          ],
          effect: 'agents refuse the connection: nothing is delivered, and the statuses on the hub are old',
          fix: `oc -n ${namespace} delete secret ${PRINCIPAL_TLS} (the controller issues it anew), then restart the principal`,
          because: [{ subject: goc.subject, codes: ['FLT0811'] }],
          through: [principal.argo.subject],
        }
      }
    }
  },
}
