import type { Finding } from '../../checks/check.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

function noGitOpsCluster({ subject: { kind } }: Finding): string | undefined {
  return kind === 'GitOpsCluster' ? undefined : 'no GitOpsCluster registers clusters there; see "bootstrap agent"'
}

export const agentsUnregisteredFix: Fix = {
  code: 'FLT0842',
  does: 'put the GitOpsCluster into agent mode again',
  risk: 'its controller writes agent secrets in the place of others for all clusters of the Placement: push to them ends',
  safe: false,
  kinds: ['GitOpsCluster'],
  hinders: noGitOpsCluster,
  repair(input) {
    const fields = { spec: { gitopsAddon: { enabled: true, argoCDAgent: { enabled: true } } } }
    return {
      steps: [
        edit(input, input.finding.subject, fields, 'it renews certificates and secrets of the agents that are there'),
      ],
    }
  },
}
