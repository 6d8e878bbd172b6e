import { readCertificate } from '../../fleet/certificate.ts'
import { principals } from '../../fleet/joins/agents.ts'
import { AGENT_CA, PRINCIPAL_CERTIFICATES } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { fact, MINUTE, timeText } from '../support.ts'
import { AGENT_INPUTS, notAgentHub, podsOf, principalDeployment } from './agent-support.ts'

/** What the principal serves and trusts; it reads them once, at its start (agent-mode.md 1.4, 1.7). */
const SERVED = [...PRINCIPAL_CERTIFICATES, AGENT_CA]
/** A certificate is backdated by a little, and a pod starts while it is written. */
const SLACK = MINUTE

export const principalCertificateStale: Check = {
  code: 'FLT0814',
  slug: 'principal-certificate-stale',
  title: 'The principal serves the certificates that are in its Secrets',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Deployment', 'Pod', 'Secret'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'The certificates of the principal live 30 days and are written anew after about 24, or when its address changes. The principal reads them at its start only and nothing restarts it: it goes on serving the old one until that expires, and then no agent can connect, although the Secret looks fine.',
    remedy: 'Restart the principal after each renewal: `oc rollout restart deployment <cr>-agent-principal`.',
    sources: ['agent-mode 1.4, 1.7, 5 (14, 15, 16), 6.3 (3), 8 (A03)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      const deployment = principalDeployment(fleet, principal)
      if (deployment === undefined) continue
      const started = Math.max(...podsOf(fleet.hub, deployment).map(p => p.started ?? 0), 0)
      if (started === 0) continue
      const { namespace } = deployment.meta
      const newer = SERVED.flatMap(name => {
        const secret = fleet.hub.of('Secret').get(namespace, name)
        if (secret === undefined) return []
        // Without the certificate itself, the Secret was made anew at the earliest when it was created.
        const written = readCertificate(secret.certificate)?.notBefore ?? secret.meta.created ?? 0
        return written > started + SLACK ? [{ secret, written }] : []
      })
      const first = newer[0]
      if (first === undefined) continue
      yield {
        subject: deployment.subject,
        message: `The principal "${deployment.meta.name}" started before ${newer.map(n => `"${n.secret.meta.name}"`).join(' and ')} ${newer.length === 1 ? 'was' : 'were'} written: it still serves the certificate of before.`,
        evidence: [
          fact(deployment, 'pod .status.startTime', timeText(started)),
          ...newer.map(n => fact(n.secret, 'valid from', timeText(n.written))),
        ],
        effect: 'agents are cut off when the old certificate expires, or at once where its names do not fit any more',
        fix: `oc -n ${namespace} rollout restart deployment ${deployment.meta.name}`,
        because: [{ subject: deployment.subject }],
        breaks: false,
      }
    }
  },
}
