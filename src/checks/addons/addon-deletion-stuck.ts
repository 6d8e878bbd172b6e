import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { ago, fact, MINUTE, names, olderThan } from '../support.ts'

const STUCK_AFTER = 10 * MINUTE

export const addonDeletionStuck: Check = {
  code: 'FLT0903',
  slug: 'addon-deletion-stuck',
  title: 'No add-on hangs in its deletion',
  severity: 'warning',
  category: 'addons',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedClusterAddOn'] },
  docs: {
    why: 'An add-on with a pre-delete step waits for the cluster to carry it out. With the cluster gone, or its work agent down, it stays, and with it the namespace of the cluster.',
    remedy:
      'Bring the cluster back. If it is gone for good, delete the ManifestWorks of the add-on first, then strip the finalizer.',
    sources: ['agent-mode 5 (66), 8 (A13)', 'push-pull 1.1'],
  },
  *run(fleet) {
    for (const mca of fleet.hub.of('ManagedClusterAddOn').all) {
      const { name, namespace, deleting, finalizers } = mca.meta
      if (!olderThan(fleet.now, deleting, STUCK_AFTER) || finalizers.length === 0) continue
      yield {
        subject: mca.subject,
        message: `Add-on "${name}" of cluster "${namespace}" was deleted ${ago(fleet.now, deleting)} and cannot go.`,
        evidence: [fact(mca, '.metadata.finalizers', names(finalizers))],
        effect: `the cluster cannot be detached cleanly, and the add-on cannot be installed anew`,
        fix: `bring ${namespace} back; if it is gone for good, delete the ManifestWorks addon-${name}-* in ${namespace} and strip the finalizer`,
        because: [{ subject: subject('hub', 'ManagedCluster', '', namespace) }],
        clusters: [namespace],
        breaks: false,
      }
    }
  },
}
