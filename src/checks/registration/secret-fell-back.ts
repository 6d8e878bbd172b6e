import { clusterSecrets, DATA_SOURCE } from '../../fleet/joins/registration.ts'
import { groupBy } from '../../fleet/maps.ts'
import { subject } from '../../fleet/subject.ts'
import { CLUSTER_PROXY_SERVICE, SERVICE_CA } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const secretFellBack: Check = {
  code: 'FLT0222',
  slug: 'secret-fell-back',
  title: 'Where the hub has a cluster proxy, cluster secrets use it',
  severity: 'info',
  category: 'registration',
  models: ['push'],
  needs: { hub: ['Secret', 'Service'] },
  uses: { hub: ['ConfigMap'] },
  docs: {
    why: 'Since ACM 2.16 a cluster secret points to the cluster proxy when its Service is on the hub and ConfigMap `openshift-service-ca.crt` is in the namespace of the cluster. Without that ConfigMap it silently gets the API URL of the cluster, and an upgrade or a ConfigMap that comes later changes the URL of every Application.',
    remedy:
      'If the proxy is wanted, see why the namespace of the cluster has no `openshift-service-ca.crt`. If direct access is wanted, say so by annotation `apps.open-cluster-management.io/legacy-cluster-secret: "true"` on the GitOpsCluster.',
    sources: ['push-pull 1.7, 5 (2, 3)', 'failures in the field C-4'],
  },
  *run(fleet) {
    const service = fleet.hub.of('Service').get(CLUSTER_PROXY_SERVICE.namespace, CLUSTER_PROXY_SERVICE.name)
    if (service === undefined) return
    const direct = fleet.join(clusterSecrets).all.filter(s => s.meta.labels[DATA_SOURCE] === 'managed-service-account')
    for (const [namespace, list] of groupBy(direct, s => s.meta.namespace)) {
      const first = list[0]
      if (first === undefined) continue
      yield {
        subject: first.subject,
        message: `The cluster secrets of ${names(list.map(s => s.cluster.name))} in namespace "${namespace}" use the API URL, although the hub has a cluster proxy.`,
        evidence: list.slice(0, 5).flatMap(s => {
          const ca = fleet.hub.of('ConfigMap').get(s.cluster.name, SERVICE_CA.name)
          return [
            fact(s, '', `server ${s.cluster.server}`),
            fact(
              subject('hub', 'ConfigMap', s.cluster.name, SERVICE_CA.name),
              '',
              ca === undefined ? 'does not exist' : 'exists',
            ),
          ]
        }),
        effect: 'the hub needs a direct way to these clusters; their URL may change to that of the proxy later',
        fix: `see why ConfigMap ${SERVICE_CA.name} is missing in the namespace of the cluster, or choose direct access by annotation`,
        clusters: list.map(s => s.cluster.name),
        breaks: false,
      }
    }
  },
}
