import { appSets } from '../../fleet/joins/appsets.ts'
import { subjectKey } from '../../fleet/subject.ts'
import { NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { tolerateOutages } from '../selection/tolerations.ts'

export const appsetUnprotectedFix: Fix = {
  code: 'FLT0312',
  does: 'add the two tolerations for outages to its Placements',
  risk: 'clusters that are unreachable now stay in, or come back into, the selection',
  safe: true,
  kinds: ['Placement'],
  repair(input) {
    const { finding, fleet } = input
    const link = fleet.join(appSets).byKey.get(`${finding.subject.namespace}/${finding.subject.name}`)
    const places = new Map(
      (link?.generators ?? []).flatMap(g =>
        g.placements.map(p => [subjectKey(p.placement.subject), p.placement.subject]),
      ),
    )
    const steps = [...places.values()].map(placement => tolerateOutages(input, placement))
    const seen = steps.filter(step => step !== undefined)
    return seen.length < steps.length ? NOT_SEEN : { steps: seen }
  },
}
