import { OCM_CLUSTER_NAME } from '../../fleet/labels.ts'
import { GITOPS_ADDON } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { fact, lasting, olderThan, SECOND } from '../support.ts'

/** Signer of the client certificates of agents (agent-mode.md 1.9). */
const SIGNER = 'open-cluster-management.io/argocd-agent-addon'
/** The add-on manager approves and signs within seconds (seen: under 6 s). */
const SIGNED_WITHIN = 30 * SECOND

export const agentCsrPending: Check = {
  code: 'FLT0806',
  slug: 'agent-csr-pending',
  title: 'Certificate requests of agents are signed',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['CertificateSigningRequest'] },
  docs: {
    why: 'The client certificate of an agent lives 24 hours. Its renewal is a CertificateSigningRequest that the add-on manager on the hub approves and signs with the agent CA. A request that stays pending leaves the agent without a certificate at its next start, while the add-on is still Available.',
    remedy:
      'See that the add-on manager runs on the hub and may read Secret `argocd-agent-ca` (role `addon-manager-controller-role`).',
    sources: ['agent-mode 1.9, 5 (51), 8 (A28)', 'seen on running controllers: agent certificates'],
  },
  *run(fleet) {
    for (const csr of fleet.hub.of('CertificateSigningRequest').all) {
      if (csr.signer !== SIGNER || csr.hasCertificate || csr.conditions.some(c => c.type === 'Denied')) continue
      if (!olderThan(fleet.now, csr.meta.created, SIGNED_WITHIN)) continue
      const cluster = csr.meta.labels[OCM_CLUSTER_NAME] ?? ''
      const approved = csr.conditions.some(c => c.type === 'Approved')
      yield {
        subject: csr.subject,
        message: `The certificate request of the agent on cluster "${cluster}" has waited for ${lasting(fleet.now, csr.meta.created)}: ${approved ? 'approved but not signed' : 'neither approved nor signed'}.`,
        evidence: [
          fact(csr, '.spec.signerName', csr.signer),
          fact(csr, '.status.conditions', csr.conditions.map(c => c.type).join(', ') || 'none'),
        ],
        effect: 'the agent has no valid client certificate: it cannot connect once the old one is gone',
        fix: 'start the add-on manager on the hub; it approves and signs the request at once',
        ...(cluster === '' ? {} : { clusters: [cluster] }),
        through:
          cluster === ''
            ? []
            : [
                {
                  cluster: 'hub',
                  group: 'addon.open-cluster-management.io',
                  kind: 'ManagedClusterAddOn',
                  namespace: cluster,
                  name: GITOPS_ADDON,
                },
              ],
      }
    }
  },
}
