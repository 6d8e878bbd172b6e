import { manifestWork } from '../../plan/manifests/manifest-work.ts'
import { clusterRoleBinding } from '../../plan/manifests/rbac.ts'
import { write } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const agentReadRightsFix: Fix = {
  code: 'FLT0810',
  does: 'let the agent read what the hub wants to show',
  risk: 'whoever may look at these Applications on the hub may read all objects of the cluster but Secrets',
  safe: false,
  kinds: ['ManifestWork'],
  repair(input) {
    const { finding, fleet, version } = input
    const { cluster, namespace, name } = finding.subject
    if (!fleet.hub.serves('ManifestWork')) return 'the hub serves no ManifestWorks'
    const title = `${name}-view`
    const objects = [clusterRoleBinding(title, 'view', { namespace, name })]
    return {
      steps: [
        write(
          manifestWork(version, { cluster, name: title, objects }),
          `binds ClusterRole view to the agent on ${cluster}`,
        ),
      ],
    }
  },
}
