import { readCertificate, rotatedUntil } from '../../fleet/certificate.ts'
import { type ClusterView, type Fleet, inputsOf } from '../../fleet/fleet.ts'
import { principals } from '../../fleet/joins/agents.ts'
import { GITOPS_ADDON } from '../../fleet/well-known.ts'
import type { Check, Finding } from '../check.ts'
import { ago, conditionFact, fact, lasting, timeText } from '../support.ts'
import { AGENT_INPUTS, agentRegistrars } from './agent-support.ts'

/** Renewed at 80 % of its life (agent-mode.md 1.7, 1.10); with less than this left nobody has done it. */
const LEFT = 0.1

/**
 * Client certificates that the hub knows to be over, where the certificate itself was not seen: registration says on the add-on
 * until when the last one that it issued is good.
 */
function* notRotated(fleet: Fleet): Generator<Finding> {
  const clusters = new Set(
    fleet.join(principals).flatMap(p => agentRegistrars(fleet, p).flatMap(r => [...(r.decided?.clusters ?? [])])),
  )
  for (const cluster of [...clusters].sort()) {
    const addon = fleet.hub.of('ManagedClusterAddOn').get(cluster, GITOPS_ADDON)
    const until = rotatedUntil(addon)
    const seen = fleet.spokes
      .get(cluster)
      ?.of('Secret')
      .all.some(s => readCertificate(s.certificate) !== undefined)
    if (addon === undefined || until === undefined || until > fleet.now || seen === true) continue
    yield {
      subject: addon.subject,
      severity: 'error',
      message: `The last client certificate that the agent of cluster "${cluster}" was issued expired ${ago(fleet.now, until)}.`,
      evidence: [conditionFact(addon, 'ClusterCertificateRotated')],
      effect: 'the principal refuses the agent at its next connection',
      fix: `see that the signing request of ${cluster} on the hub is approved and signed, and that the add-on agent runs on ${cluster}`,
      clusters: [cluster],
      breaks: false,
      through: [],
    }
  }
}

export const agentCertificateExpiring: Check = {
  code: 'FLT0815',
  slug: 'agent-certificate-expiring',
  title: 'Certificates of principal and agents are renewed in time',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Secret'] },
  uses: inputsOf(AGENT_INPUTS, { hub: ['ManagedClusterAddOn'], spoke: ['Secret'] }),
  docs: {
    why: 'The CA of the agents lives a year, the certificates of the principal 30 days, that of an agent 24 hours. Each is renewed at 80 % of its life by the GitOpsCluster controller or the add-on. One that is nearly over was not renewed; when it expires the agents are refused, and nothing in the API says so.',
    remedy:
      'See that the GitOpsCluster controller runs and is Ready (CertificatesReady); for a client certificate look at the signing request on the hub. Restart principal or agent afterwards.',
    sources: ['agent-mode 1.7, 1.10, 5 (14), 8 (A04)', 'failures in the field H-3'],
  },
  *run(fleet) {
    yield* notRotated(fleet)
    const views: ClusterView[] = [fleet.hub, ...fleet.spokes.values()]
    for (const view of views) {
      for (const secret of view.of('Secret').all) {
        const certificate = readCertificate(secret.certificate)
        if (certificate === undefined) continue
        const { notBefore, notAfter } = certificate
        const left = notAfter - fleet.now
        if (left > LEFT * (notAfter - notBefore)) continue
        const { namespace, name } = secret.meta
        yield {
          subject: secret.subject,
          severity: left < 0 ? 'error' : 'warning',
          message: `The certificate in Secret "${name}" of namespace "${namespace}"${view.role === 'hub' ? '' : ` on cluster "${view.name}"`} ${left < 0 ? `expired ${ago(fleet.now, notAfter)}` : `expires in ${lasting(notAfter, fleet.now)} and was not renewed`}.`,
          evidence: [fact(secret, 'valid until', timeText(notAfter)), fact(secret, 'valid from', timeText(notBefore))],
          effect: left < 0 ? 'connections with it are refused' : 'agents are cut off when it expires',
          fix:
            view.role === 'hub'
              ? 'see that the GitOpsCluster controller runs and CertificatesReady is True, then restart the principal'
              : `see that the signing request of ${view.name} on the hub is approved and signed, then restart the agent`,
          breaks: false,
          through: [],
        }
      }
    }
  },
}
