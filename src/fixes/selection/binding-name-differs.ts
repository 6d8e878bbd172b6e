import { managedClusterSetBinding } from '../../plan/manifests/cluster-set.ts'
import { write } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const bindingNameDiffersFix: Fix = {
  code: 'FLT0111',
  does: 'bind the set under its own name and delete the binding of another name',
  risk: 'what the old binding gave under its own name ends: clusters of a set of that name are not selected any more',
  safe: false,
  kinds: ['ManagedClusterSetBinding'],
  repair(input) {
    const { finding, fleet, version } = input
    const { namespace, name } = finding.subject
    const bindings = fleet.hub.of('ManagedClusterSetBinding')
    const set = bindings.get(namespace, name)?.clusterSet ?? ''
    if (set === '') return 'the binding names no set'
    return {
      steps: [
        ...(bindings.get(namespace, set) === undefined
          ? [write(managedClusterSetBinding(version, namespace, set), 'a binding is looked up by the name of its set')]
          : []),
        { does: 'delete', subject: finding.subject, why: `its name is not that of the set that it means` },
      ],
    }
  },
}
