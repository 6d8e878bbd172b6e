import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { type ClusterSecret, clusterSecrets, isAcm, isBlank } from '../../fleet/joins/registration.ts'
import { selection } from '../../fleet/joins/selection.ts'
import type { Placement } from '../../fleet/records.ts'
import { gitOpsCluster } from '../../plan/manifests/gitops-cluster.ts'
import { write } from '../edits.ts'
import type { Fix } from '../fix.ts'

const NONE = 'there is not exactly one Placement in the Argo CD namespace that selects these clusters'

function leftIn(namespace: string, fleet: Fleet): readonly ClusterSecret[] {
  return fleet.join(clusterSecrets).all.filter(s => isAcm(s) && s.meta.namespace === namespace)
}

function placementOf({ subject: { namespace } }: Finding, fleet: Fleet): Placement | string {
  const wanted = leftIn(namespace, fleet).map(s => s.cluster.name)
  const fitting = [...fleet.join(selection).byPlacement.values()].filter(
    d => d.placement.meta.namespace === namespace && wanted.every(cluster => d.clusters.has(cluster)),
  )
  const [only] = fitting
  return only !== undefined && fitting.length === 1 ? only.placement : NONE
}

export const gocAbsentFix: Fix = {
  code: 'FLT0211',
  does: 'make a GitOpsCluster for the only Placement that selects these clusters',
  risk: 'its controller writes the cluster secrets anew, of the kind that they are now',
  safe: false,
  kinds: ['GitOpsCluster'],
  hinders: (finding, fleet) => {
    const found = placementOf(finding, fleet)
    return typeof found === 'string' ? found : undefined
  },
  repair(input) {
    const { finding, fleet, version } = input
    const found = placementOf(finding, fleet)
    if (typeof found === 'string') return found
    const { namespace } = finding.subject
    const isBlankOnly = leftIn(namespace, fleet).every(isBlank)
    const manifest = gitOpsCluster(version, {
      namespace,
      name: `gitops-${found.meta.name}`,
      argoNamespace: namespace,
      placement: found.meta.name,
      ...(isBlankOnly ? { blankSecrets: true } : {}),
    })
    return { steps: [write(manifest, `registers what Placement ${found.meta.name} selects, as the lost one did`)] }
  },
}
