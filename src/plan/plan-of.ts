import { API_VERSION } from '../checks/report.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { FleetSource } from '../source/source.ts'
import { VERSION } from '../version.ts'
import type { Plan } from './plan.ts'
import { summaryOf } from './summary.ts'

/** What a plan is made against. */
interface PlanGround {
  readonly source: Pick<FleetSource, 'type' | 'name'>
  readonly fleet: Fleet
  readonly now: Date
}

/** A plan with what every plan says of itself: who made it, when, and for which hub. */
export function planOf(
  content: Omit<Plan, 'apiVersion' | 'kind' | 'version' | 'createdAt' | 'target' | 'summary'>,
  { source, fleet, now }: PlanGround,
): Plan {
  const { title, command, ...rest } = content
  return {
    apiVersion: API_VERSION,
    kind: 'Plan',
    version: VERSION,
    createdAt: now.toISOString(),
    title,
    command,
    target: {
      type: source.type,
      name: source.name,
      hub: fleet.hub.of('Namespace').get('', 'kube-system')?.meta.uid ?? '',
    },
    summary: summaryOf(content.steps),
    ...rest,
  }
}
