import { deletedByAgents } from '../bootstrap/gates/agent.ts'
import { conflicts } from '../bootstrap/gates/ownership.ts'
import { lostApplications } from '../bootstrap/gates/selection.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { subjectText } from '../fleet/subject.ts'
import type { Gate, Step } from '../plan/plan.ts'
import type { PlanPreview } from '../plan/preview.ts'

interface Danger {
  readonly code: string
  readonly text: string
  readonly details: readonly string[]
  readonly flag?: string
}

function deletes(steps: readonly Step[]): Danger | undefined {
  const details = steps.flatMap(step =>
    step.type === 'object' && step.action === 'delete'
      ? [`${subjectText(step.subject)}: ${step.risk.text || step.why}`]
      : [],
  )
  if (details.length === 0) return undefined
  const what = details.length === 1 ? 'an object is' : `${details.length} objects are`
  return { code: 'deletes', text: `${what} deleted, which revert does not bring back`, details }
}

/** Every danger of a fix, each with the flag that accepts it. */
export function gatesOf(
  {
    steps,
    preview,
    before,
    after,
  }: {
    readonly steps: readonly Step[]
    readonly preview: PlanPreview
    /** The fleet without and with the fixes. */
    readonly before: Fleet
    readonly after: Fleet
  },
  accepted: ReadonlySet<string>,
): readonly Gate[] {
  const taken = deletedByAgents({ before, after })
  const found: readonly (Danger | undefined)[] = [
    deletes(steps),
    lostApplications({ preview }),
    taken === undefined ? undefined : { ...taken, flag: '' },
    conflicts({ steps }),
  ]
  return found.flatMap(danger => {
    if (danger === undefined) return []
    const { code, text, details, flag = `--accept ${code}` } = danger
    return [{ code, text, details, flag, accepted: flag !== '' && accepted.has(code) }]
  })
}
