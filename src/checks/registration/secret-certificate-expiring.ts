import type { Validity } from '../../fleet/cluster-config.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { type ClusterSecret, clusterSecrets, isAcm, isAgentSecret } from '../../fleet/joins/registration.ts'
import type { Check } from '../check.ts'
import { ago, fact, lasting, SECOND, timeText } from '../support.ts'

const DAY = 24 * 3600 * SECOND
const SOON = 30 * DAY
/** What lives shorter than a year is renewed at 80 % of its life (agent-mode.md 1.7); with less than this left nobody has done it. */
const LEFT = 0.1

function isEnding({ notBefore, notAfter }: Validity, now: number): boolean {
  return notAfter - now < Math.min(SOON, LEFT * (notAfter - notBefore))
}

/** The certificates of a secret by which Argo CD logs in, and by which it knows the server, unless it does not look. */
function certificatesOf({ cluster }: ClusterSecret): readonly (readonly [string, Validity])[] {
  const { client, authority, insecure } = cluster
  return [
    ...(client === undefined ? [] : [['client certificate', client] as const]),
    ...(authority === undefined || insecure ? [] : [['CA', authority] as const]),
  ]
}

function writerOf(secret: ClusterSecret): string {
  return isAgentSecret(secret) || isAcm(secret)
    ? 'see that the GitOpsCluster controller runs: it writes the Secret anew at each reconcile'
    : 'write the Secret anew with a certificate that is good'
}

export const secretCertificateExpiring: Check = {
  code: 'FLT0229',
  slug: 'secret-certificate-expiring',
  title: 'Certificates in cluster secrets are renewed in time',
  severity: 'warning',
  category: 'registration',
  models: ['push', 'agent'],
  needs: { hub: ['Secret'] },
  uses: applications.inputs,
  docs: {
    why: 'The `config` of a cluster secret may hold a client certificate instead of a token, and holds the CA of the server. Nothing in Argo CD tells when one of them ends: a warm cache stays Synced, and the first write fails. Secrets of agents have a client certificate of six months, which the GitOpsCluster controller writes anew at every reconcile; with it only live manifests and logs end, not delivery. Only the times are read, never a key or a token; a `config` that holds neither certificate says nothing here.',
    remedy:
      'Renew the certificate where the Secret comes from, or register the cluster through a GitOpsCluster, which renews what it writes.',
    sources: ['agent-mode 1.7, 1.8', 'push-pull 1.7'],
  },
  *run(fleet) {
    const pushed = new Set(fleet.join(applications).all.flatMap(a => (a.model === 'push' ? a.secrets : [])))
    for (const secret of fleet.join(clusterSecrets).all) {
      const [first] = certificatesOf(secret)
        .filter(([, validity]) => isEnding(validity, fleet.now))
        .sort(([, a], [, b]) => a.notAfter - b.notAfter)
      if (first === undefined) continue
      const [what, { notBefore, notAfter }] = first
      const over = notAfter <= fleet.now
      const { name } = secret.cluster
      const agent = isAgentSecret(secret)
      yield {
        subject: secret.subject,
        ...(over && pushed.has(secret) ? { severity: 'error' as const } : {}),
        message: `The ${what} in the cluster secret of "${name}" ${over ? `expired ${ago(fleet.now, notAfter)}` : `expires in ${lasting(notAfter, fleet.now)} and was not renewed`}.`,
        evidence: [
          fact(secret, `.data[config] ${what}, valid until`, timeText(notAfter)),
          fact(secret, `.data[config] ${what}, valid from`, timeText(notBefore)),
        ],
        effect: agent
          ? 'the hub shows no live manifests and logs of this cluster without it; delivery goes on'
          : 'Argo CD cannot write to the cluster without it, while Applications go on saying Synced',
        fix: writerOf(secret),
        clusters: [name],
        ...(agent ? { breaks: false, through: [] } : {}),
      }
    }
  },
}
