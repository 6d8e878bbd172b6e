import { defineJoin } from '../fleet.ts'
import { isArgoServer } from '../labels.ts'

/**
 * Namespaces on the hub in which an Argo CD control plane lives. None has a fixed name, so they are told by what only an
 * Argo CD namespace holds: its custom resource, the target of a GitOpsCluster, its server's Service, its cluster secrets, or
 * Applications whose status says which controller wrote it.
 */
export const argoNamespaces = defineJoin<ReadonlySet<string>>(
  { hub: ['ArgoCD', 'GitOpsCluster', 'Service', 'Secret', 'ApplicationSet'] },
  fleet => {
    const found = new Set<string>()
    for (const argo of fleet.hub.of('ArgoCD').all) found.add(argo.meta.namespace)
    for (const goc of fleet.hub.of('GitOpsCluster').all) found.add(goc.argoNamespace || goc.meta.namespace)
    for (const secret of fleet.hub.of('Secret').all) if (secret.cluster !== undefined) found.add(secret.meta.namespace)
    for (const service of fleet.hub.of('Service').all)
      if (isArgoServer(service.meta.labels)) found.add(service.meta.namespace)
    if (found.size === 0) {
      // Without any of these, an ApplicationSet that somebody reconciles lies with its controller.
      for (const set of fleet.hub.of('ApplicationSet').all) if (set.hasStatus) found.add(set.meta.namespace)
    }
    return found
  },
)
