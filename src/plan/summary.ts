import type { Plan, Step } from './plan.ts'

/** How many objects a plan creates, configures, leaves and deletes. */
export function summaryOf(steps: readonly Step[]): Plan['summary'] {
  const summary = { create: 0, configure: 0, unchanged: 0, delete: 0 }
  for (const step of steps) if (step.type === 'object') summary[step.action]++
  return summary
}
