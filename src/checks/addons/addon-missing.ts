import { isLocalCluster, isTrue } from '../../fleet/joins/clusters.ts'
import { clusterOfKey, clusterSecrets, DATA_SOURCE, registration } from '../../fleet/joins/registration.ts'
import { missing, subject } from '../../fleet/subject.ts'
import { GITOPS_ADDON, MSA_ADDON, PROXY_ADDON } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

export const addonMissing: Check = {
  code: 'FLT0905',
  slug: 'addon-missing',
  title: 'The add-ons that a cluster needs for its delivery are installed',
  severity: 'warning',
  category: 'addons',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedClusterAddOn', 'GitOpsCluster', 'Placement', 'PlacementDecision'] },
  uses: { hub: ['ManagedClusterSetBinding', 'Secret', 'ManagedServiceAccount', 'ManagedCluster'] },
  whole: { hub: ['ManagedClusterAddOn'] },
  perObject: ['ManagedClusterAddOn'],
  docs: {
    why: 'Push with tokens needs `managed-serviceaccount` on the cluster, a secret with the proxy URL needs `cluster-proxy`, the GitOps add-on needs `governance-policy-framework` and `config-policy-controller` to install Argo CD. An absent add-on is another fault than an unavailable one: nothing reports it, what it made before stays, and nothing is renewed.',
    remedy:
      'Create the ManagedClusterAddOn in the namespace of the cluster, or enable it for all clusters (in ACM by the KlusterletAddonConfig).',
    sources: ['push-pull 1.7, 1.15, 7.2 (D01)', 'agent-mode 6.3 (5)'],
  },
  *run(fleet) {
    const { byName } = fleet.join(clusterSecrets)
    for (const [key, registrars] of fleet.join(registration).of) {
      const r = registrars[0]
      if (r === undefined) continue
      const cluster = clusterOfKey(key)
      const managed = fleet.hub.of('ManagedCluster').get('', cluster)
      // A cluster that never joined has none of them, and a finding of its own.
      if (managed === undefined || !isTrue(managed, 'ManagedClusterJoined') || managed.meta.deleting !== undefined)
        continue
      const secrets = byName.get(key) ?? []
      const needed: { name: string; why: string }[] = []
      if (r.writes === 'real' && fleet.hub.of('ManagedServiceAccount').get(cluster, r.msa) !== undefined)
        needed.push({
          name: MSA_ADDON,
          why: `GitOpsCluster ${r.goc.meta.name} uses a token of ManagedServiceAccount ${r.msa}`,
        })
      if (secrets.some(s => s.meta.labels[DATA_SOURCE] === 'cluster-proxy'))
        needed.push({ name: PROXY_ADDON, why: 'the cluster secret points to the cluster proxy' })
      // The controller gives the hub itself no add-on (push-pull.md 1.6).
      if (registrars.some(x => x.goc.addonEnabled) && !isLocalCluster(managed)) {
        needed.push({ name: GITOPS_ADDON, why: `GitOpsCluster ${r.goc.meta.name} has the add-on on` })
        for (const name of ['governance-policy-framework', 'config-policy-controller'])
          needed.push({ name, why: 'the GitOps add-on installs Argo CD by a Policy' })
      }
      for (const { name, why } of needed) {
        if (fleet.hub.of('ManagedClusterAddOn').get(cluster, name) !== undefined) continue
        const at = missing(subject('hub', 'ManagedClusterAddOn', cluster, name))
        yield {
          subject: at,
          message: `Cluster "${cluster}" lacks add-on "${name}": ${why}.`,
          evidence: [
            fact(at, '', 'does not exist'),
            ...secrets.slice(0, 1).map(s => fact(s, '', `server ${s.cluster.server}`)),
          ],
          effect: 'what it does for the cluster is not done any more, and nothing says so',
          fix: `create ManagedClusterAddOn ${name} in namespace ${cluster}`,
          because: [
            { subject: subject('hub', 'ManagedCluster', '', cluster) },
            ...registrars.map(x => ({ subject: x.goc.subject })),
          ],
          clusters: [cluster],
          breaks: false,
        }
      }
    }
  },
}
