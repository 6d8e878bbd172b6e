import type { Fix } from '../fix.ts'
import { allowClusterConfig } from '../spokes/operator-namespaces.ts'

export const principalRightsMissingFix: Fix = {
  code: 'FLT0830',
  does: 'name the namespace to the operator as one with rights on the whole cluster',
  risk: 'the Argo CD of that namespace gets rights on the whole cluster; the operator is restarted',
  safe: false,
  kinds: ['Subscription'],
  repair(input) {
    return allowClusterConfig(input, input.finding.subject.namespace)
  },
}
