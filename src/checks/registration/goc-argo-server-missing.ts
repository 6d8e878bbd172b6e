import { condition } from '../../fleet/joins/clusters.ts'
import { registration } from '../../fleet/joins/registration.ts'
import { isArgoServer } from '../../fleet/labels.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact } from '../support.ts'
import { failed } from './goc-support.ts'

const SKIP = 'skipArgoNamespaceVerify'

export const gocArgoServerMissing: Check = {
  code: 'FLT0203',
  slug: 'goc-argo-server-missing',
  title: 'Every GitOpsCluster finds an Argo CD server in its Argo CD namespace',
  severity: 'error',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['GitOpsCluster'] },
  uses: { hub: ['Service', 'Placement', 'PlacementDecision', 'ManagedClusterSetBinding'] },
  docs: {
    why: 'The controller looks for a Service with labels `app.kubernetes.io/component=server` and `app.kubernetes.io/part-of=argocd` (its message speaks of a pod) and stops there when none is found: ConfigMaps are not recreated, secrets not written, tokens not renewed. Later conditions keep their old True. An Argo CD with its server switched off fails the same way.',
    remedy:
      'Bring the server and its Service back, with both labels. As a last resort annotation `skipArgoNamespaceVerify: "true"` on the GitOpsCluster skips the probe.',
    sources: ['push-pull 1.6', 'stolostron/multicloud-integrations:pkg/controller/gitopscluster/server_discovery.go'],
  },
  *run(fleet) {
    for (const { goc, argoNamespace } of fleet.join(registration).all) {
      const verified = condition(goc, 'ArgoServerVerified')
      const services = fleet.hub
        .of('Service')
        .in(argoNamespace)
        .filter(s => isArgoServer(s.meta.labels))
      const lacking =
        goc.meta.annotations[SKIP] !== 'true' && fleet.hub.knows('Service', argoNamespace) && services.length === 0
      // Before ACM 2.15 there are no conditions: a failure without a server there is this one.
      const told =
        (verified?.status === 'False' && verified.reason === 'ArgoServerNotFound') ||
        (lacking && goc.conditions.length === 0 && failed(goc))
      // Not said yet: the controller looks again only at its next reconcile.
      if (!told && !lacking) continue
      yield {
        subject: goc.subject,
        severity: told ? 'error' : 'warning',
        message: `GitOpsCluster "${goc.meta.name}" ${told ? 'finds' : 'will find'} no Argo CD server in namespace "${argoNamespace}": no Service there carries the labels component=server and part-of=argocd.`,
        evidence: [
          ...(goc.conditions.length === 0
            ? [fact(goc, '.status.message', goc.message || 'empty')]
            : [conditionFact(goc, 'ArgoServerVerified')]),
          fact(goc, '.spec.argoServer.argoNamespace', argoNamespace),
        ],
        effect: 'the reconcile stops here: no ConfigMap, no cluster secret and no token is written or renewed',
        fix: `restore the Argo CD server's Service in ${argoNamespace} with labels app.kubernetes.io/component=server and app.kubernetes.io/part-of=argocd`,
      }
    }
  },
}
