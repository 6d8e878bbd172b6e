import { type ProblemKind, problems } from '../../checks/argo/problems.ts'
import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { Application } from '../../fleet/records.ts'
import { subjectKey } from '../../fleet/subject.ts'

export const NO_HUB_APP = 'no Application on the hub starts this sync; start it on the cluster'

/** Applications of the hub of which nobody will try the sync again, behind the problems of this kind in a finding. */
export function appsOf({ subject: of }: Finding, fleet: Fleet, kind: ProblemKind): readonly Application[] {
  const { shared, single } = fleet.join(problems)
  const key = subjectKey(of)
  const list = [
    ...shared.filter(s => s.kind === kind && subjectKey(s.appSet.appSet.subject) === key).flatMap(s => s.list),
    ...single.filter(p => p.kind === kind && subjectKey(p.of.app.subject) === key),
  ]
  const found = list.filter(p => !p.retrying).flatMap(p => p.of.hub?.app ?? (p.of.at === 'hub' ? p.of.app : []))
  return [...new Map(found.map(app => [subjectKey(app.subject), app])).values()]
}
