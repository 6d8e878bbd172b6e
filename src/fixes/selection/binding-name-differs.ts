import type { Fleet } from '../../fleet/fleet.ts'
import { managedClusterSetBinding } from '../../plan/manifests/cluster-set.ts'
import { edit, write } from '../edits.ts'
import type { Fix } from '../fix.ts'

function exists(set: string, fleet: Fleet): boolean {
  return fleet.hub.of('ManagedClusterSet').get('', set) !== undefined
}

export const bindingNameDiffersFix: Fix = {
  code: 'FLT0111',
  does: 'bind the set under its own name, and let the other binding say what it binds',
  risk: 'Placements of the namespace may also select clusters of the set that was meant',
  safe: false,
  kinds: ['ManagedClusterSetBinding'],
  repair(input) {
    const { finding, fleet, version } = input
    const { namespace, name } = finding.subject
    const bindings = fleet.hub.of('ManagedClusterSetBinding')
    const meant = bindings.get(namespace, name)?.clusterSet ?? ''
    const isBound = bindings.get(namespace, meant) !== undefined || !exists(meant, fleet)
    const steps = isBound
      ? []
      : [write(managedClusterSetBinding(version, namespace, meant), 'a binding is looked up by the name of its set')]
    // What it binds today, it goes on binding.
    return exists(name, fleet)
      ? {
          steps: [
            ...steps,
            edit(input, finding.subject, { spec: { clusterSet: name } }, 'the set that the scheduler takes it for'),
          ],
        }
      : {
          steps: [
            ...steps,
            {
              does: 'delete',
              subject: finding.subject,
              why: 'no set has its name: it binds nothing',
            },
          ],
        }
  },
}
