import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const trackingByLabelFix: Fix = {
  code: 'FLT0836',
  does: 'have Argo CD track its resources by annotation',
  risk: 'at the next sync the resources get the annotation; a tool that reads the label does not find them any more',
  safe: false,
  kinds: ['ArgoCD'],
  hinders: ({ subject: { cluster } }) =>
    cluster === 'hub'
      ? undefined
      : 'the ArgoCD is one of a cluster, which gets it from the Policy of the GitOpsCluster',
  repair(input) {
    return {
      steps: [
        edit(
          input,
          input.finding.subject,
          { spec: { resourceTrackingMethod: 'annotation' } },
          'a label is too short for what has to be told apart',
        ),
      ],
    }
  },
}
