import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { nearest } from '../../ui/nearest.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

const NO_SET = 'no existing set has nearly the name that the Placement asks for'

/** The set itself where it exists, else the existing one of the nearest name. */
function meant(set: string, fleet: Fleet): string | undefined {
  const sets = fleet.hub.of('ManagedClusterSet')
  if (sets.get('', set) !== undefined) return set
  return nearest(
    set,
    sets.all.map(s => s.meta.name),
  )
}

function noSet({ subject: { namespace, name } }: Finding, fleet: Fleet): string | undefined {
  const asked = fleet.hub.of('Placement').get(namespace, name)?.clusterSets ?? []
  return asked.every(set => meant(set, fleet) !== undefined) ? undefined : NO_SET
}

export const placementSetUnknownFix: Fix = {
  code: 'FLT0106',
  does: 'name the existing sets that were most likely meant',
  risk: 'the Placement selects clusters of these sets, and Applications are made for them; the set must be bound to the namespace',
  safe: false,
  kinds: ['Placement'],
  hinders: noSet,
  repair(input) {
    const { finding, fleet } = input
    const { namespace, name } = finding.subject
    const asked = fleet.hub.of('Placement').get(namespace, name)?.clusterSets ?? []
    const sets = asked.map(set => meant(set, fleet))
    if (sets.some(set => set === undefined)) return NO_SET
    return {
      steps: [edit(input, finding.subject, { spec: { clusterSets: [...new Set(sets)] } }, 'these sets exist')],
    }
  },
}
