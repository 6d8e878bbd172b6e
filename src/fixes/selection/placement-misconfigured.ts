import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { textAt } from '../../raw.ts'
import { edit, listOf, NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'

const NO_TOLERATION = 'it is not a toleration that is wrong; only the author knows what the predicate was meant to be'

/** What the scheduler does not accept (ocm pkg/placement/plugins/tainttoleration, push-pull.md 1.4). */
function isRefused(key: string, operator: string, value: string): boolean {
  if (operator !== '' && operator !== 'Equal' && operator !== 'Exists') return true
  return (key === '' && operator !== 'Exists') || (operator === 'Exists' && value !== '')
}

function noToleration({ subject: { namespace, name } }: Finding, fleet: Fleet): string | undefined {
  const tolerations = fleet.hub.of('Placement').get(namespace, name)?.tolerations ?? []
  return tolerations.some(t => isRefused(t.key, t.operator, t.value)) ? undefined : NO_TOLERATION
}

export const placementMisconfiguredFix: Fix = {
  code: 'FLT0103',
  does: 'take the tolerations out that the scheduler refuses',
  risk: 'the Placement selects clusters again; what the refused toleration was meant to allow is not tolerated',
  safe: true,
  kinds: ['Placement'],
  hinders: noToleration,
  repair(input) {
    const { finding } = input
    const tolerations = listOf(input, finding.subject, 'spec', 'tolerations')
    if (tolerations === undefined) return NOT_SEEN
    const valid = tolerations.filter(t => !isRefused(textAt(t, 'key'), textAt(t, 'operator'), textAt(t, 'value')))
    if (valid.length === tolerations.length) return NO_TOLERATION
    return {
      steps: [
        edit(
          input,
          finding.subject,
          { spec: { tolerations: valid } },
          'without them the scheduler can evaluate the Placement',
        ),
      ],
    }
  },
}
