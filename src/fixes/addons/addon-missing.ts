import { managedClusterAddOn } from '../../plan/manifests/service-account.ts'
import { write } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const addonMissingFix: Fix = {
  code: 'FLT0905',
  does: 'enable the add-on on the cluster',
  risk: 'the agent of the add-on is installed on the cluster',
  safe: false,
  kinds: ['ManagedClusterAddOn'],
  repair(input) {
    const { namespace, name } = input.finding.subject
    return {
      steps: [
        write(managedClusterAddOn(input.version, namespace, name), `the add-on manager installs it on ${namespace}`),
      ],
    }
  },
}
