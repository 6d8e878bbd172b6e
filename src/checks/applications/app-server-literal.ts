import { type AppLink, applications } from '../../fleet/joins/applications.ts'
import {
  ACM_CLUSTER,
  DATA_SOURCE,
  LEGACY_SECRET,
  registration,
  registrationKey,
} from '../../fleet/joins/registration.ts'
import type { Secret } from '../../fleet/records.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

/** Sources of a cluster secret whose server is that of the cluster itself and not the proxy's: the last is how ACM up to 2.15 writes it. */
const DIRECT: readonly (string | undefined)[] = ['managed-service-account', undefined]

function sourceOf(secret: Secret): string | undefined {
  return secret.meta.labels[DATA_SOURCE]
}

/** The secret by whose present URL an Application of nobody's making finds its cluster, where ACM may write another. */
function literalOf({ app, owner, model, secrets }: AppLink): Secret | undefined {
  const { name, server } = app.destination
  if (model !== 'push' || owner !== undefined || name !== '' || server === '') return undefined
  const [secret] = secrets
  return secret !== undefined && ACM_CLUSTER in secret.meta.labels && DIRECT.includes(sourceOf(secret))
    ? secret
    : undefined
}

export const appServerLiteral: Check = {
  code: 'FLT0417',
  slug: 'app-server-literal',
  title: 'No Application names a server that an upgrade of ACM changes',
  severity: 'warning',
  category: 'applications',
  models: ['push'],
  needs: { hub: ['Application', 'Secret'] },
  uses: { hub: [...(applications.inputs.hub ?? []), 'GitOpsCluster'] },
  docs: {
    why: 'Up to ACM 2.15 the `server` of a cluster secret is the API URL of the cluster, from 2.16 on that of the cluster proxy. An ApplicationSet renders `{{server}}` anew; an Application that somebody wrote by hand keeps the URL that it names. After the upgrade it belongs to no cluster, or keeps the old secret alive, and Applications that name the cluster then find two of that name.',
    remedy:
      'Set `destination.name` to the name of the cluster and leave `destination.server` out, before the upgrade. Where the API URL is meant to stay, annotate the GitOpsCluster with `apps.open-cluster-management.io/legacy-cluster-secret: "true"`.',
    sources: ['push-pull 1.7, 1.9, 4.2'],
  },
  *run(fleet) {
    const registrars = fleet.join(registration).of
    for (const link of fleet.join(applications).all) {
      const secret = literalOf(link)
      if (secret === undefined || link.app.meta.deleting !== undefined) continue
      const writers = registrars.get(registrationKey(link.argoNamespace, link.cluster)) ?? []
      // Says that the API URL is to stay.
      if (writers.some(r => r.goc.meta.annotations[LEGACY_SECRET] === 'true')) continue
      const { app, cluster } = link
      const source = sourceOf(secret)
      const when = source === undefined ? 'an upgrade to ACM 2.16' : 'a cluster proxy on the hub'
      yield {
        subject: app.subject,
        ...(source === undefined ? {} : { severity: 'info' as const }),
        message: `Application "${app.meta.name}" names the API URL of cluster "${cluster}"; ${when} changes the URL in its cluster secret.`,
        evidence: [
          fact(app, '.spec.destination.server', app.destination.server),
          fact(secret, `.metadata.labels[${DATA_SOURCE}]`, source ?? 'absent'),
        ],
        effect: 'Argo CD will not know its cluster then: nothing is compared or synced, and what is shown is old',
        fix: `set spec.destination.name: ${cluster} and remove spec.destination.server`,
        clusters: [cluster],
        breaks: false,
      }
    }
  },
}
