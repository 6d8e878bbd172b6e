import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { appSetKey } from '../../fleet/joins/appsets.ts'
import type { Subject } from '../../fleet/subject.ts'
import { delivered, edit, listOf, NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { appsOf, problemsOf } from './problem-apps.ts'
import { startSync } from './start-sync.ts'

const OPTION = 'CreateNamespace=true'
const TERMINATING = 'the namespace is being terminated: its deletion must end first'
const ON_SPOKE = 'the Application was not made on the hub'

/** Where the sync options are written down: the ApplicationSet, or an Application of the hub that has none. */
function ownerOf(finding: Finding, fleet: Fleet): Subject | string {
  const { subject: of } = finding
  const problem = problemsOf(finding, fleet).find(p => p.kind === 'namespace-missing')
  if (problem === undefined) return TERMINATING
  if (of.kind === 'ApplicationSet') return of
  const app = problem.of.hub?.app ?? (of.cluster === 'hub' ? problem.of.app : undefined)
  if (app === undefined) return ON_SPOKE
  return fleet.join(applications).byKey.get(appSetKey(app))?.appSet?.appSet.subject ?? app.subject
}

export const destinationNamespaceMissingFix: Fix = {
  code: 'FLT0503',
  does: 'have Argo CD create the namespace',
  risk: 'the namespace is made on every cluster of the ApplicationSet and is not removed with its Applications',
  safe: true,
  kinds: ['ApplicationSet', 'Application'],
  hinders: (finding, fleet) => {
    const of = ownerOf(finding, fleet)
    return typeof of === 'string' ? of : undefined
  },
  repair(input) {
    const { finding, fleet } = input
    const of = ownerOf(finding, fleet)
    if (typeof of === 'string') return of
    const path = of.kind === 'ApplicationSet' ? ['spec', 'template', 'spec'] : ['spec']
    const there = listOf(input, of, ...path, 'syncPolicy', 'syncOptions')
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
