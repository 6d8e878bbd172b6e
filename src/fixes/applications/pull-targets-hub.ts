import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { appSets } from '../../fleet/joins/appsets.ts'
import { type Subject, subjectKey } from '../../fleet/subject.ts'
import { NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { excludeHub } from '../selection/exclude-hub.ts'

const NONE = 'no Placement made the Application; its target was set by hand'

function placementsOf({ subject: { namespace, name } }: Finding, fleet: Fleet): readonly Subject[] {
  const link = fleet.join(appSets).byKey.get(`${namespace}/${name}`)
  const all = (link?.generators ?? []).flatMap(g => g.placements.map(p => p.placement.subject))
  return [...new Map(all.map(s => [subjectKey(s), s])).values()]
}

export const pullTargetsHubFix: Fix = {
  code: 'FLT0409',
  does: 'keep the hub out of the Placement by a predicate',
  risk: 'the Applications that this Placement has made for the hub itself, and that are not delivered, are deleted',
  safe: false,
  kinds: ['Placement'],
  hinders: (finding, fleet) => (placementsOf(finding, fleet).length === 0 ? NONE : undefined),
  repair(input) {
    const places = placementsOf(input.finding, input.fleet)
    if (places.length === 0) return NONE
    const steps = places.map(placement => excludeHub(input, placement))
    const seen = steps.filter(step => step !== undefined)
    return seen.length < steps.length ? NOT_SEEN : { steps: seen }
  },
}
