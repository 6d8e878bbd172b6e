import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { managedClusterSetBinding } from '../../plan/manifests/cluster-set.ts'
import { nearest } from '../../ui/nearest.ts'
import { write } from '../edits.ts'
import type { Fix } from '../fix.ts'

const noSet = ({ subject: { name } }: Finding): string => `no existing set has nearly the name ${name}`

function meantSet({ subject: { name } }: Finding, fleet: Fleet): string | undefined {
  return nearest(
    name,
    fleet.hub.of('ManagedClusterSet').all.map(s => s.meta.name),
  )
}

export const bindingSetMissingFix: Fix = {
  code: 'FLT0101',
  does: 'bind the set that was most likely meant and delete the binding that binds nothing',
  risk: 'Placements of the namespace select the clusters of that set; Applications are made for them',
  safe: false,
  kinds: ['ManagedClusterSetBinding'],
  hinders: (finding, fleet) => (meantSet(finding, fleet) === undefined ? noSet(finding) : undefined),
  repair(input) {
    const { finding, fleet, version } = input
    const { namespace, name } = finding.subject
    const set = meantSet(finding, fleet)
    if (set === undefined) return noSet(finding)
    const isBound = fleet.hub.of('ManagedClusterSetBinding').get(namespace, set) !== undefined
    return {
      steps: [
        ...(isBound
          ? []
          : [
              write(
                managedClusterSetBinding(version, namespace, set),
                `binds the set that ${name} was most likely meant to be`,
              ),
            ]),
        {
          does: 'delete',
          subject: finding.subject,
          why: 'it binds a set that does not exist, so nothing goes with it',
        },
      ],
    }
  },
}
