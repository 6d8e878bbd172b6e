import { flavour } from '../../fleet/joins/flavour.ts'
import { AGENT_NAME, clusterSecrets, isAcm, registration } from '../../fleet/joins/registration.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact } from '../support.ts'

export const secretForeign: Check = {
  code: 'FLT0227',
  slug: 'secret-foreign',
  title: 'The cluster secret of every decided cluster is one that the GitOpsCluster may write',
  severity: 'warning',
  category: 'registration',
  models: ['push', 'pull'],
  needs: { hub: ['GitOpsCluster', 'Placement', 'PlacementDecision', 'Secret'] },
  uses: {
    hub: ['ManagedClusterSetBinding', 'ManagedCluster', 'CustomResourceDefinition', 'MulticlusterApplicationSetReport'],
  },
  docs: {
    why: 'The GitOpsCluster refuses a cluster for which there is a cluster secret without the label `acm-cluster`: made by hand, or by ACM and stripped of its labels. It then fails for that cluster, renews nothing, and ApplicationSets deliver through the foreign secret.',
    remedy: 'Delete the secret and let the GitOpsCluster write its own, or take the cluster out of its Placement.',
    sources: ['push-pull 1.6, 1.7'],
  },
  *run(fleet) {
    if (fleet.join(flavour) !== 'acm') return
    const { byName } = fleet.join(clusterSecrets)
    for (const [key, registrars] of fleet.join(registration).of) {
      const r = registrars[0]
      const secrets = byName.get(key) ?? []
      const only = secrets[0]
      // Several of one name are a finding of their own, and agents have secrets without that label.
      if (r === undefined || only === undefined || secrets.length > 1) continue
      if (registrars.some(x => x.writes === 'agent') || isAcm(only) || AGENT_NAME in only.meta.labels) continue
      yield {
        subject: only.subject,
        message: `Cluster secret "${only.meta.name}" of cluster "${only.cluster.name}" is not ACM's, so GitOpsCluster "${r.goc.meta.name}" cannot register the cluster.`,
        evidence: [
          fact(only, '.metadata.labels[apps.open-cluster-management.io/acm-cluster]', 'absent'),
          conditionFact(r.goc, 'ClustersRegistered'),
        ],
        effect: 'the GitOpsCluster fails for this cluster; nobody renews what is in the secret',
        fix: `oc -n ${only.meta.namespace} delete secret ${only.meta.name} (the GitOpsCluster writes its own), or take the cluster out of the Placement`,
        because: [{ subject: only.subject }],
        clusters: [only.cluster.name],
        breaks: false,
      }
    }
  },
}
