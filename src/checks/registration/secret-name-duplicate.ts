import { clusters } from '../../fleet/joins/clusters.ts'
import { flavour } from '../../fleet/joins/flavour.ts'
import type { ClusterSecret } from '../../fleet/joins/registration.ts'
import { AGENT_NAME, clusterSecrets, isAcm } from '../../fleet/joins/registration.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

/** The secret that should go: a hand-made one before one of an agent before the oldest of ACM's. */
function intruder(list: readonly ClusterSecret[]): ClusterSecret | undefined {
  const rank = (s: ClusterSecret): number => (isAcm(s) ? 2 : AGENT_NAME in s.meta.labels ? 1 : 0)
  return [...list].sort((a, b) => rank(a) - rank(b) || (a.meta.created ?? 0) - (b.meta.created ?? 0))[0]
}

export const secretNameDuplicate: Check = {
  code: 'FLT0215',
  slug: 'secret-name-duplicate',
  title: 'Every cluster has one cluster secret per Argo CD',
  severity: 'error',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Secret'] },
  uses: { hub: ['ManagedCluster', 'GitOpsCluster', 'CustomResourceDefinition', 'MulticlusterApplicationSetReport'] },
  docs: {
    why: 'Two cluster secrets with one `name` make every Application that uses `destination.name` fail ("there are 2 clusters with the same name"). A hand-made secret without the label `acm-cluster` also makes the GitOpsCluster fail for that cluster, so that ACM no longer renews its own. The generator may match, and deliver through, the foreign one.',
    remedy: 'Delete the secret that should not be there, or give it another `name` in its data.',
    sources: ['push-pull 1.7', 'agent-mode 2.6, 5 (62, 63)'],
  },
  *run(fleet) {
    const managed = fleet.join(clusters).byName
    const acm = fleet.join(flavour) === 'acm'
    for (const list of fleet.join(clusterSecrets).byName.values()) {
      const wrong = intruder(list)
      const name = wrong?.cluster.name ?? ''
      if (wrong === undefined || list.length < 2) continue
      const foreign = acm && !isAcm(wrong) && !(AGENT_NAME in wrong.meta.labels)
      yield {
        subject: wrong.subject,
        message: `${list.length} cluster secrets in namespace "${wrong.meta.namespace}" have the name "${name}"${foreign ? `; "${wrong.meta.name}" is not ACM's` : ''}.`,
        evidence: list.map(s =>
          fact(
            s,
            '',
            `name ${s.cluster.name}, server ${s.cluster.server}, ${isAcm(s) ? "ACM's" : AGENT_NAME in s.meta.labels ? "an agent's" : 'made by hand'}`,
          ),
        ),
        effect: `Applications with destination.name ${name} fail; the GitOpsCluster does not renew the secret of ${name}`,
        fix: `oc -n ${wrong.meta.namespace} delete secret ${wrong.meta.name} (of ${names(list.map(s => s.meta.name))}), or give it another data.name`,
        ...(managed.has(name) ? { clusters: [name] } : {}),
      }
    }
  },
}
