import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

function byAddon({ subject: { namespace, name } }: Finding, fleet: Fleet): string | undefined {
  return fleet.hub.of('GitOpsCluster').get(namespace, name)?.addonEnabled === true
    ? 'its secrets are blank because of the GitOps add-on, and taking that off ends what it delivers on the clusters'
    : undefined
}

export const blankSecretUnderPushFix: Fix = {
  code: 'FLT0212',
  does: 'have the GitOpsCluster write credentials again',
  risk: 'tokens of every selected cluster lie in the Argo CD namespace again, and what pushes through them acts on the clusters',
  safe: false,
  kinds: ['GitOpsCluster'],
  hinders: byAddon,
  repair(input) {
    return {
      steps: [
        edit(
          input,
          input.finding.subject,
          { spec: { createBlankClusterSecrets: false } },
          'a blank secret cannot be pushed through',
        ),
      ],
    }
  },
}
