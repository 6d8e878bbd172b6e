import type { KindName } from '../../fleet/kinds.ts'
import { OCM_CLUSTER_NAME } from '../../fleet/labels.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { ago, fact, MINUTE, names, olderThan } from '../support.ts'

const STUCK_AFTER = 10 * MINUTE
/** Kinds with finalizers that lie in the namespace of a cluster. */
const BLOCKERS: readonly KindName[] = [
  'ManifestWork',
  'ManagedClusterAddOn',
  'ManagedServiceAccount',
  'ClusterPermission',
  'Lease',
]

export const clusterNamespaceTerminating: Check = {
  code: 'FLT0011',
  slug: 'cluster-namespace-terminating',
  title: 'No namespace of a managed cluster hangs in its deletion',
  severity: 'warning',
  category: 'clusters',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Namespace'] },
  uses: { hub: ['ManagedCluster', ...BLOCKERS] },
  docs: {
    why: 'The namespace of a cluster goes when everything in it has gone. Works, add-ons and accounts of a detached cluster carry finalizers that only its agents remove. While it is terminating a cluster of that name cannot be imported again: its acceptance fails, and nothing can be created there.',
    remedy:
      'Remove what blocks it in this order: ManifestWorks, add-ons, the rest. Strip a finalizer only when the cluster is gone for good.',
    sources: ['failures in the field K-5', 'push-pull 1.1'],
  },
  *run(fleet) {
    for (const namespace of fleet.hub.of('Namespace').all) {
      const { name, labels, deleting } = namespace.meta
      if (labels[OCM_CLUSTER_NAME] === undefined || !olderThan(fleet.now, deleting, STUCK_AFTER)) continue
      const blockers = BLOCKERS.flatMap(kind =>
        fleet.hub
          .of(kind)
          .in(name)
          .filter(o => o.meta.finalizers.length > 0),
      )
      yield {
        subject: namespace.subject,
        message: `Namespace "${name}" of a managed cluster has been terminating since ${ago(fleet.now, deleting)}${blockers.length === 0 ? '' : `; ${names(blockers.map(o => `${o.subject.kind} ${o.meta.name}`))} hold it`}.`,
        evidence: [
          fact(namespace, '.status.phase', namespace.phase),
          ...blockers.slice(0, 8).map(o => fact(o, '.metadata.finalizers', names(o.meta.finalizers))),
        ],
        effect: 'the cluster cannot be imported again under this name',
        fix: 'bring the agents of the cluster back; if it is gone for good, strip the finalizers of what holds the namespace',
        because: [{ subject: subject('hub', 'ManagedCluster', '', name) }],
        breaks: false,
      }
    }
  },
}
