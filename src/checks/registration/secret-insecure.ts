import { clusterSecrets, LEGACY_SECRET } from '../../fleet/joins/registration.ts'
import { groupBy } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const secretInsecure: Check = {
  code: 'FLT0223',
  slug: 'secret-insecure',
  title: 'Argo CD verifies the API server of every cluster',
  severity: 'info',
  category: 'registration',
  models: ['push'],
  needs: { hub: ['Secret'] },
  uses: { hub: ['GitOpsCluster'] },
  docs: {
    why: 'A cluster secret whose `config` says `tlsClientConfig.insecure: true` sends the token of the cluster to whoever answers at that address. ACM writes it so when it has no CA for an API URL, and always with annotation `legacy-cluster-secret`.',
    remedy:
      'Give the ManagedCluster a client config with `caBundle`, or let the secret use the cluster proxy (take the annotation off).',
    sources: ['push-pull 1.6, 1.7', 'failures in the field C-4'],
  },
  *run(fleet) {
    const open = fleet.join(clusterSecrets).all.filter(s => s.cluster.insecure)
    for (const [namespace, list] of groupBy(open, s => s.meta.namespace)) {
      const first = list[0]
      if (first === undefined) continue
      const legacy = fleet.hub
        .of('GitOpsCluster')
        .all.filter(
          g => (g.argoNamespace || g.meta.namespace) === namespace && g.meta.annotations[LEGACY_SECRET] === 'true',
        )
      yield {
        subject: first.subject,
        message: `Argo CD in namespace "${namespace}" does not verify the API server of ${names(list.map(s => s.cluster.name))}.`,
        evidence: [
          ...list.slice(0, 5).map(s => fact(s, '.data[config]', 'TLS verification is switched off')),
          ...legacy.map(g => fact(g, `.metadata.annotations[${LEGACY_SECRET}]`, 'true')),
        ],
        effect: 'the credentials of these clusters go to whoever answers at their address',
        fix:
          legacy.length > 0
            ? `take annotation ${LEGACY_SECRET} off GitOpsCluster ${names(legacy.map(g => g.meta.name))}`
            : 'give spec.managedClusterClientConfigs of the ManagedCluster a caBundle',
        breaks: false,
      }
    }
  },
}
