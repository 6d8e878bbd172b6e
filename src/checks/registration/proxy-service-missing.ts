import { applications } from '../../fleet/joins/applications.ts'
import { proxyService } from '../../fleet/joins/ways.ts'
import { getOrAdd } from '../../fleet/maps.ts'
import { missing, type Subject, subjectKey } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const proxyServiceMissing: Check = {
  code: 'FLT0228',
  slug: 'proxy-service-missing',
  title: 'The proxy that cluster secrets lead to exists',
  severity: 'warning',
  category: 'registration',
  models: ['push'],
  needs: { hub: ['Application', 'Secret', 'Service'] },
  uses: applications.inputs,
  whole: { hub: ['Service'] },
  docs: {
    why: 'Push through the cluster proxy goes to a Service of the hub that is written into every cluster secret. Where that Service is gone, because the cluster proxy was disabled or moved, nothing is reached any more; the secrets go back to the API URL only at the next reconcile of the GitOpsCluster, and only where the cluster has one.',
    remedy: 'Enable the cluster proxy again (component `cluster-proxy-addon` of the MultiClusterEngine).',
    sources: ['push-pull 1.7, 5 (2)'],
  },
  *run(fleet) {
    const lost = new Map<string, { at: Subject; clusters: Set<string> }>()
    for (const { model, cluster, secrets } of fleet.join(applications).all) {
      if (model !== 'push') continue
      for (const service of secrets.flatMap(s => proxyService(s.cluster.server))) {
        if (fleet.hub.of('Service').get(service.namespace, service.name) !== undefined) continue
        getOrAdd(lost, subjectKey(service), () => ({ at: missing(service), clusters: new Set() })).clusters.add(cluster)
      }
    }
    for (const { at, clusters } of lost.values()) {
      yield {
        subject: at,
        message: `Service "${at.name}" does not exist in namespace "${at.namespace}", and the cluster secrets of ${names([...clusters].sort())} lead to it.`,
        evidence: [fact(at, '', 'does not exist')],
        effect: 'no cluster behind it is reached: nothing is synced and statuses stand still',
        fix: 'enable the cluster proxy again, or let the GitOpsCluster write the secrets anew',
        clusters: [...clusters].sort(),
        breaks: false,
      }
    }
  },
}
