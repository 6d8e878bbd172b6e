import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { appSetKey } from '../../fleet/joins/appsets.ts'
import type { Subject } from '../../fleet/subject.ts'
import { listOf } from '../edits.ts'
import type { FixInput } from '../fix.ts'
import { problemsOf } from './problem-apps.ts'

const ON_SPOKE = 'the Application was not made on the hub'

/** Where what an Application wants is written down: the ApplicationSet, or an Application of the hub that has none. */
export function writtenIn(finding: Finding, fleet: Fleet): Subject | string {
  const { subject: of } = finding
  if (of.kind === 'ApplicationSet') return of
  const [problem] = problemsOf(finding, fleet)
  const app = problem?.of.hub?.app ?? (of.cluster === 'hub' ? problem?.of.app : undefined)
  if (app === undefined) return ON_SPOKE
  return fleet.join(applications).byKey.get(appSetKey(app))?.appSet?.appSet.subject ?? app.subject
}

/** The sync options that are written there; undefined where the object was not seen. */
export function syncOptionsOf(input: FixInput, of: Subject): readonly unknown[] | undefined {
  const path = of.kind === 'ApplicationSet' ? ['spec', 'template', 'spec'] : ['spec']
  return listOf(input, of, ...path, 'syncPolicy', 'syncOptions')
}
