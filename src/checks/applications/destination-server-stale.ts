import { applications, IN_CLUSTER_SERVER } from '../../fleet/joins/applications.ts'
import { clusterSecrets, registrationKey } from '../../fleet/joins/registration.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

export const destinationServerStale: Check = {
  code: 'FLT0406',
  slug: 'destination-server-stale',
  title: 'The destination of every Application is that of a cluster secret',
  severity: 'error',
  category: 'applications',
  models: ['push', 'agent'],
  needs: { hub: ['Application', 'Secret'] },
  uses: applications.inputs,
  whole: { hub: ['Secret'] },
  perObject: ['Secret'],
  docs: {
    why: 'Argo CD finds the cluster of an Application by `destination.server` among its cluster secrets. When the URL in the secret changes (API URL to cluster proxy at an ACM upgrade, another port, a re-imported cluster), Applications with the old URL belong to no cluster: `error getting cluster by server`.',
    remedy: 'Use `destination.name`. An ApplicationSet with `{{server}}` renders the new URL at its next reconcile.',
    sources: ['push-pull 1.9, 4.2'],
  },
  *run(fleet) {
    const { byName } = fleet.join(clusterSecrets)
    for (const link of fleet.join(applications).all) {
      const { app, cluster, argoNamespace } = link
      const { server, name } = app.destination
      if (link.model !== 'unknown' || name !== '' || server === '' || server === IN_CLUSTER_SERVER || cluster === '')
        continue
      const secret = byName.get(registrationKey(argoNamespace, cluster))?.[0]
      if (secret === undefined || secret.cluster.server === server || app.meta.deleting !== undefined) continue
      yield {
        subject: app.subject,
        message: `Application "${app.meta.name}" goes to "${server}", but the cluster secret of "${cluster}" says "${secret.cluster.server}".`,
        evidence: [fact(app, '.spec.destination.server', server), fact(secret, '', `server ${secret.cluster.server}`)],
        effect: 'Argo CD does not know its cluster: nothing is compared or synced; what is shown is old',
        fix: `set spec.destination.name: ${cluster} (and remove server), in the template if it is generated`,
        because: link.appSet === undefined ? [] : [{ subject: link.appSet.appSet.subject }],
        clusters: [cluster],
        models: ['push', 'agent'],
      }
    }
  },
}
