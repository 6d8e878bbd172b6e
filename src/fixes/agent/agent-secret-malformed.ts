import type { Fix } from '../fix.ts'

export const agentSecretMalformedFix: Fix = {
  code: 'FLT0823',
  does: 'delete the cluster secret so that the GitOpsCluster writes it anew',
  risk: 'until it is written anew the cluster is unknown to Argo CD; what it held is gone for good',
  safe: false,
  inGit: false,
  kinds: ['Secret'],
  repair(input) {
    const { subject } = input.finding
    return { steps: [{ does: 'delete', subject, why: 'its label and its content name two agents' }] }
  },
}
