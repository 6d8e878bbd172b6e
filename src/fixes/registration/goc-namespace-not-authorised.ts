import { GITOPS_ARGO_NAMESPACE } from '../../fleet/labels.ts'
import { edit, hubSubject } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const gocNamespaceNotAuthorisedFix: Fix = {
  code: 'FLT0204',
  does: 'label the Argo CD namespace as one that GitOpsClusters may write to',
  risk: 'every GitOpsCluster of the hub may write cluster secrets into that namespace, not this one alone',
  safe: false,
  kinds: ['Namespace'],
  repair(input) {
    const { finding, fleet } = input
    const { namespace, name } = finding.subject
    const place = fleet.hub.of('GitOpsCluster').get(namespace, name)?.argoNamespace ?? ''
    if (place === '') return 'the GitOpsCluster names no Argo CD namespace'
    const step = edit(
      input,
      hubSubject('Namespace', '', place),
      { metadata: { labels: { [GITOPS_ARGO_NAMESPACE]: 'true' } } },
      'lets GitOpsClusters of other namespaces register clusters there',
    )
    return { steps: [step] }
  },
}
