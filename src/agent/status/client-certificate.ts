import { lasting } from '../../checks/support.ts'
import { rotatedUntil } from '../../fleet/certificate.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { OCM_ADDON_NAME, OCM_CLUSTER_NAME } from '../../fleet/labels.ts'
import { missing, subject } from '../../fleet/subject.ts'
import { AGENT_CLIENT_TLS, GITOPS_ADDON } from '../../fleet/well-known.ts'
import type { Agent } from './agent.ts'
import { askCertificate } from './ask.ts'
import type { Parts } from './parts.ts'
import { validity } from './principal-parts.ts'

/** Issued on a request of the spoke, for 24 hours; what the hub says of it stays when it is gone (seen). */
export function addClientCertificate(parts: Parts, { place, name, view, namespace }: Agent): void {
  const { hub, now } = place.fleet
  const at = subject(name, 'Secret', namespace, AGENT_CLIENT_TLS)
  const rotated = hub.of('ManagedClusterAddOn').get(name, GITOPS_ADDON)
  const until = rotatedUntil(rotated)
  const issued =
    until === undefined
      ? ''
      : until < now
        ? `the last one issued is over for ${lasting(now, until)}`
        : `the last one issued has ${lasting(until, now)} left`
  const requests = hub
    .of('CertificateSigningRequest')
    .all.filter(c => c.meta.labels[OCM_CLUSTER_NAME] === name)
    .filter(c => c.meta.labels[OCM_ADDON_NAME] === GITOPS_ADDON)
  const covers = requests.map(c => c.subject)
  const claims = rotated === undefined ? [] : [{ of: rotated.subject, codes: ['FLT0815'] }]
  const secret = view?.of('Secret').get(namespace, AGENT_CLIENT_TLS)
  const context = `--context ${name}`
  const since = rotated === undefined ? undefined : condition(rotated, 'ClusterCertificateRotated')?.since
  if (view === undefined) {
    const message = issued === '' ? `cluster ${name} was not read` : `${issued}; cluster ${name} was not read`
    const ask = askCertificate(namespace, AGENT_CLIENT_TLS, context)
    parts.add('client certificate', at, { message, state: 'unknown', since, covers, claims, ask })
    return
  }
  if (secret === undefined) {
    const message = `does not exist on the spoke${issued === '' ? '' : `; ${issued}`}`
    parts.add('client certificate', missing(at), { message, state: 'waiting', since, covers, claims })
    return
  }
  const read = validity(secret, now, askCertificate(namespace, AGENT_CLIENT_TLS, context))
  parts.add('client certificate', at, {
    ...(read.state === undefined || issued === '' ? read : { message: `is there; ${issued}` }),
    since: since ?? secret.meta.created,
    covers,
    claims,
  })
}
