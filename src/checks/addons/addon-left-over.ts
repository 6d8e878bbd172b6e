import { registration } from '../../fleet/joins/registration.ts'
import { subject } from '../../fleet/subject.ts'
import { GITOPS_ADDON } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

/** Who wrote the add-on (push-pull.md 1.6); one that was made by hand is none of the controller's. */
const WRITER = 'multicloud-integrations'

export const addonLeftOver: Check = {
  code: 'FLT0902',
  slug: 'addon-left-over',
  title: 'The GitOps add-on is on clusters that a GitOpsCluster gives it to',
  severity: 'warning',
  category: 'addons',
  models: ['pull', 'agent'],
  needs: { hub: ['ManagedClusterAddOn', 'GitOpsCluster', 'Placement', 'PlacementDecision'] },
  uses: { hub: ['ManagedClusterSetBinding', 'Policy'] },
  whole: { hub: ['GitOpsCluster', 'PlacementDecision'] },
  docs: {
    why: 'Neither a cluster that leaves the Placement nor a GitOpsCluster that is deleted or loses `gitopsAddon.enabled` takes the add-on away: add-on, config and Policy stay, keep Argo CD on the cluster as it was, and put back what is changed there.',
    remedy: 'Delete the Policy first, then the add-on, and look at what is left on the cluster.',
    sources: ['push-pull 1.6, 5 (26)', 'agent-mode 2.5, 8 (A22)'],
  },
  *run(fleet) {
    const given = new Set<string>()
    let open = false
    for (const { goc, decided } of fleet.join(registration).all) {
      if (!goc.addonEnabled) continue
      // With a Placement that cannot be found nobody knows which clusters are meant.
      if (decided === undefined) open = true
      for (const cluster of decided?.clusters ?? []) given.add(cluster)
    }
    if (open) return
    for (const mca of fleet.hub.of('ManagedClusterAddOn').all) {
      const { name, namespace, labels, deleting } = mca.meta
      if (name !== GITOPS_ADDON || labels['app.kubernetes.io/managed-by'] !== WRITER || deleting !== undefined) continue
      if (given.has(namespace)) continue
      const policies = fleet.hub
        .of('Policy')
        .in(namespace)
        .filter(p => p.meta.name.endsWith('-argocd-policy'))
      yield {
        subject: mca.subject,
        message: `Cluster "${namespace}" still has the GitOps add-on, but no GitOpsCluster with the add-on selects it.`,
        evidence: [
          fact(mca, '.metadata.labels[app.kubernetes.io/managed-by]', WRITER),
          fact(mca, '', `selected by GitOpsClusters with the add-on: ${names([...given].sort())}`),
          ...policies.map(p => fact(p, '', 'still enforced there')),
        ],
        effect: 'Argo CD of the add-on goes on running on the cluster, kept up by nobody',
        fix: `delete the Policy of the add-on, then: oc -n ${namespace} delete managedclusteraddon ${GITOPS_ADDON}`,
        because: fleet
          .join(registration)
          .all.flatMap(r => [
            { subject: r.goc.subject },
            ...(r.decided === undefined ? [] : [{ subject: r.decided.placement.subject }]),
          ])
          .concat([{ subject: subject('hub', 'ManagedCluster', '', namespace) }]),
        clusters: [namespace],
        breaks: false,
      }
    }
  },
}
