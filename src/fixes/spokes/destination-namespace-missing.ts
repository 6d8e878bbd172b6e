import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { Fix } from '../fix.ts'
import { problemsOf } from './problem-apps.ts'
import { withSyncOption } from './sync-option.ts'
import { writtenIn } from './written-in.ts'

const TERMINATING = 'the namespace is being terminated: its deletion must end first'

function hinders(finding: Finding, fleet: Fleet): string | undefined {
  if (!problemsOf(finding, fleet).some(p => p.kind === 'namespace-missing')) return TERMINATING
  const of = writtenIn(finding, fleet)
  return typeof of === 'string' ? of : undefined
}

export const destinationNamespaceMissingFix: Fix = {
  code: 'FLT0503',
  does: 'have Argo CD create the namespace',
  risk: 'the namespace is made on every cluster of the ApplicationSet and is not removed with its Applications',
  safe: true,
  kinds: ['ApplicationSet', 'Application'],
  hinders,
  repair(input) {
    const why = 'Argo CD creates the namespace before it applies anything'
    return withSyncOption(input, 'CreateNamespace=true', 'namespace-missing', why)
  },
}
