import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { delivered, edit, NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { appsOf, problemsOf } from './problem-apps.ts'
import { startSync } from './start-sync.ts'
import { syncOptionsOf, writtenIn } from './written-in.ts'

const OPTION = 'CreateNamespace=true'
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
    const { finding, fleet } = input
    const of = writtenIn(finding, fleet)
    if (typeof of === 'string') return of
    const there = syncOptionsOf(input, of)
    if (there === undefined) return NOT_SEEN
    const syncOptions = [...there.filter(o => !String(o).startsWith('CreateNamespace=')), OPTION]
    return {
      steps: [
        edit(
          input,
          of,
          delivered(of, { spec: { syncPolicy: { syncOptions } } }),
          'Argo CD creates the namespace before it applies anything',
        ),
        ...appsOf(finding, fleet, 'namespace-missing').map(app => startSync(input, app, [OPTION])),
      ],
    }
  },
}
