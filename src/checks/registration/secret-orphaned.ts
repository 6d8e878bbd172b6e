import { clusters } from '../../fleet/joins/clusters.ts'
import { AGENT_NAME, clusterSecrets, isAcm } from '../../fleet/joins/registration.ts'
import { groupBy } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const secretOrphaned: Check = {
  code: 'FLT0219',
  slug: 'secret-orphaned',
  title: 'Cluster secrets that the hub wrote belong to clusters that it manages',
  severity: 'warning',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Secret', 'ManagedCluster'] },
  whole: { hub: ['ManagedCluster'] },
  docs: {
    why: 'ACM deletes a cluster secret once its ManagedCluster is gone, unless its controller missed that; secrets of agents are never swept. What is left keeps credentials for a cluster that nobody manages any more, and its name in every generator that looks at secrets.',
    remedy: 'Delete the secret, and revoke the token on the cluster if that still exists.',
    sources: ['push-pull 1.6, 1.14', 'agent-mode 2.6, 5 (62)'],
  },
  *run(fleet) {
    const { byName } = fleet.join(clusters)
    const orphans = fleet
      .join(clusterSecrets)
      .all.filter(
        s => (isAcm(s) || AGENT_NAME in s.meta.labels) && s.cluster.name !== '' && !byName.has(s.cluster.name),
      )
    for (const [namespace, list] of groupBy(orphans, s => s.meta.namespace)) {
      const first = list[0]
      if (first === undefined) continue
      yield {
        subject: first.subject,
        message: `${list.length === 1 ? 'A cluster secret' : `${list.length} cluster secrets`} in namespace "${namespace}" ${list.length === 1 ? 'is' : 'are'} left from clusters that the hub does not manage: ${names(list.map(s => s.cluster.name))}.`,
        evidence: list.slice(0, 8).map(s => fact(s, '', `name ${s.cluster.name}, server ${s.cluster.server}`)),
        effect: `credentials of detached clusters lie in ${namespace}; generators over secrets still yield these clusters`,
        fix: `oc -n ${namespace} delete secret ${list
          .slice(0, 5)
          .map(s => s.meta.name)
          .join(' ')}${list.length > 5 ? ' …' : ''}`,
        breaks: false,
      }
    }
  },
}
