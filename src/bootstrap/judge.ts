import type { Fleet } from '../fleet/fleet.ts'
import type { Step } from '../plan/plan.ts'
import type { PlanPreview } from '../plan/preview.ts'
import type { Blueprint } from './blueprint.ts'

/** All that is known when a plan is judged. */
export interface Judged {
  readonly blueprint: Blueprint
  /** What the Placement would select. */
  readonly clusters: readonly string[]
  /** The fleet without and with the plan, both with the decisions that follow. */
  readonly before: Fleet
  readonly after: Fleet
  readonly preview: PlanPreview
  readonly steps: readonly Step[]
}
