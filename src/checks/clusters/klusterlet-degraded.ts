import type { Condition } from '../../fleet/records.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check, Severity } from '../check.ts'
import { conditionFact, conditionText } from '../support.ts'

interface Meaning {
  readonly text: string
  readonly severity: Severity
  readonly fix: string
}

const AGAIN = 'delete Secret hub-kubeconfig-secret in open-cluster-management-agent, so that the agent bootstraps again'
const BOOTSTRAP =
  'create Secret bootstrap-hub-kubeconfig in open-cluster-management-agent anew, with a valid token and the CA of the hub'

/** Reasons of the klusterlet operator (ocm pkg/operator/operators/klusterlet), in a sentence each. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  BootstrapSecretMissing: {
    text: 'the secret to join anew is missing; the connection of now does not need it',
    severity: 'warning',
    fix: BOOTSTRAP,
  },
  BootstrapSecretUnauthorized: {
    text: 'the secret to join anew has expired; the connection of now does not need it',
    severity: 'warning',
    fix: BOOTSTRAP,
  },
  BootstrapSecretError: { text: 'the secret to join anew cannot be used', severity: 'warning', fix: BOOTSTRAP },
  HubKubeConfigSecretMissing: { text: 'the agent has no kubeconfig for the hub', severity: 'error', fix: AGAIN },
  HubConfigSecretMissing: { text: 'the agent has no kubeconfig for the hub', severity: 'error', fix: AGAIN },
  HubKubeConfigMissing: { text: 'the secret for the hub holds no kubeconfig', severity: 'error', fix: AGAIN },
  HubKubeConfigError: { text: 'the kubeconfig for the hub cannot be used', severity: 'error', fix: AGAIN },
  HubConfigSecretUnauthorized: { text: 'the hub refuses the kubeconfig of the agent', severity: 'error', fix: AGAIN },
  HubKubeConfigUnauthorized: { text: 'the hub refuses the kubeconfig of the agent', severity: 'error', fix: AGAIN },
  UnavailableRegistrationPod: {
    text: 'the registration agent does not run',
    severity: 'error',
    fix: 'look at the pods in open-cluster-management-agent',
  },
  UnavailableWorkPod: {
    text: 'the work agent does not run',
    severity: 'error',
    fix: 'look at the pods in open-cluster-management-agent',
  },
  NoAvailablePods: {
    text: 'no agent runs',
    severity: 'error',
    fix: 'look at the pods in open-cluster-management-agent',
  },
}

const OTHER: Meaning = { text: 'it reports a fault', severity: 'warning', fix: 'mend what the condition names' }

/** Several reasons may stand in one, separated by commas. */
function meaningOf({ reason }: Condition): Meaning {
  const found = reason.split(',').flatMap(r => MEANINGS[r.trim()] ?? [])
  return found.find(m => m.severity === 'error') ?? found[0] ?? OTHER
}

export const klusterletDegraded: Check = {
  code: 'FLT0012',
  slug: 'klusterlet-degraded',
  title: 'No klusterlet is degraded',
  severity: 'warning',
  category: 'clusters',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedCluster'], spoke: ['Klusterlet'] },
  docs: {
    why: 'The klusterlet judges the secret to join and the secret for the connection apart. An expired bootstrap secret hurts only the next join; a refused hub kubeconfig is what cuts a cluster off, often after the certificate of the hub API was renewed with another CA.',
    remedy:
      'For `Hub…` reasons delete `hub-kubeconfig-secret` on the cluster, so that the agent bootstraps again. For `Bootstrap…` reasons create `bootstrap-hub-kubeconfig` anew.',
    sources: ['failures in the field A-1, A-5', 'open-cluster-management-io/ocm:pkg/operator/operators/klusterlet'],
  },
  *run(fleet) {
    for (const [cluster, view] of fleet.spokes) {
      for (const klusterlet of view.of('Klusterlet').all) {
        const bad = klusterlet.conditions.filter(c => /Degraded$/.test(c.type) && c.status === 'True')
        const worst = bad.find(c => meaningOf(c).severity === 'error') ?? bad[0]
        if (worst === undefined) continue
        const { text, severity, fix } = meaningOf(worst)
        yield {
          subject: klusterlet.subject,
          severity,
          message: `The klusterlet of cluster "${cluster}" is degraded: ${text} (${conditionText(worst)}).`,
          evidence: bad.map(c => conditionFact(klusterlet, c.type)),
          effect:
            severity === 'error'
              ? 'nothing is delivered to the cluster by pull, and nothing is reported'
              : 'the cluster works on, but could not join again',
          fix: `on ${cluster}: ${fix}`,
          because: [{ subject: subject('hub', 'ManagedCluster', '', cluster), codes: ['FLT0001', 'FLT0006'] }],
          clusters: [cluster],
          models: ['pull', 'agent'],
        }
      }
    }
  },
}
