import type { Plan } from '../plan/plan.ts'
import type { View } from './view.ts'

/** How a plan is shown; with `diff` the default text has every field. */
export function planView(diff: boolean): View<Plan> {
  const load = async () => import('./plan-text.ts')
  return {
    what: 'a plan',
    forms: {
      text: async () => (diff ? (await load()).renderPlanDiff : (await load()).renderPlanText),
      wide: async () => {
        const { renderPlanDiff } = await load()
        return (plan, options) => renderPlanDiff(plan, { ...options, width: Number.POSITIVE_INFINITY })
      },
    },
    rows: plan => plan.steps,
    rowKind: 'Step',
    names: plan => plan.steps.flatMap(step => (step.type === 'object' ? [step.subject] : [])),
  }
}
