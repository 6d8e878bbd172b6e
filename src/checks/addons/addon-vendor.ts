import { clusters } from '../../fleet/joins/clusters.ts'
import { registration } from '../../fleet/joins/registration.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const addonVendor: Check = {
  code: 'FLT0912',
  slug: 'addon-vendor',
  title: 'The GitOps add-on goes to OpenShift clusters',
  severity: 'info',
  category: 'addons',
  models: ['pull', 'agent'],
  needs: { hub: ['GitOpsCluster', 'Placement', 'PlacementDecision', 'ManagedCluster'] },
  uses: { hub: ['ManagedClusterSetBinding'] },
  docs: {
    why: 'The maintainers of ACM call basic pull delivery and the OLM mode of the add-on OpenShift-only. Elsewhere an embedded operator is used, whose version is fixed by the ACM release and whose images need a pull secret for registry.redhat.io.',
    remedy:
      'Exclude the cluster from the Placement (`vendor In [OpenShift]`), or see that its pull secret covers the images and that it is a set-up you want to support.',
    sources: ['push-pull 3', 'agent-mode 1.10, 5 (55)'],
  },
  *run(fleet) {
    const { byName } = fleet.join(clusters)
    for (const { goc, decided } of fleet.join(registration).all) {
      if (!goc.addonEnabled || decided === undefined) continue
      const other = [...decided.clusters].sort().flatMap(c => {
        const vendor = byName.get(c)?.meta.labels.vendor
        return vendor === undefined || vendor === 'OpenShift' ? [] : [{ c, vendor }]
      })
      if (other.length === 0) continue
      yield {
        subject: goc.subject,
        message: `GitOpsCluster "${goc.meta.name}" installs the GitOps add-on on ${names(other.map(o => `${o.c} (${o.vendor})`))}, which ${other.length === 1 ? 'is' : 'are'} not OpenShift.`,
        evidence: other.slice(0, 6).map(o => fact(goc, '', `${o.c}: label vendor=${o.vendor}`)),
        effect: 'an embedded operator of a fixed version is used there, and its images need a pull secret',
        fix: "exclude them from the Placement, or see that the cluster's pull secret covers registry.redhat.io",
        clusters: other.map(o => o.c),
        breaks: false,
      }
    }
  },
}
