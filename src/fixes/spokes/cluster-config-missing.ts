import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { Fix } from '../fix.ts'
import { allowClusterConfig, hasSubscription, NO_SUBSCRIPTION } from './operator-namespaces.ts'

function hinders({ subject: { cluster } }: Finding, fleet: Fleet): string | undefined {
  if (cluster !== 'hub') return 'its operator is one of a cluster, which gets its Subscription from elsewhere'
  return hasSubscription(fleet) ? undefined : NO_SUBSCRIPTION
}

export const clusterConfigMissingFix: Fix = {
  code: 'FLT0530',
  does: 'name the namespace to the operator as one with rights on the whole cluster',
  risk: 'the Argo CD of that namespace gets rights on the whole cluster; the operator is restarted',
  safe: false,
  kinds: ['Subscription'],
  hinders: hinders,
  repair(input) {
    return allowClusterConfig(input, input.finding.subject.namespace)
  },
}
