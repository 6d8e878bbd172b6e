import type { Fix } from '../fix.ts'

export const secretForeignFix: Fix = {
  code: 'FLT0227',
  does: 'delete the cluster secret that keeps ACM from writing its own',
  risk: 'until ACM has written its own the cluster is unknown to Argo CD, and ApplicationSets delete its Applications; the old credentials are gone for good',
  safe: false,
  inGit: false,
  kinds: ['Secret', 'ApplicationSet'],
  repair(input) {
    const { subject } = input.finding
    return {
      steps: [{ does: 'delete', subject, why: 'the GitOpsCluster controller writes none beside one of another hand' }],
      afterwards: 'see that the GitOpsCluster becomes Ready: its controller looks again within five minutes',
    }
  },
}
