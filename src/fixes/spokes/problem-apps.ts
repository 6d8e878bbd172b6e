import { type Problem, type ProblemKind, problems } from '../../checks/argo/problems.ts'
import type { Finding } from '../../checks/check.ts'
import { defineJoin, type Fleet } from '../../fleet/fleet.ts'
import { pushTo } from '../../fleet/maps.ts'
import type { Application } from '../../fleet/records.ts'
import { subjectKey } from '../../fleet/subject.ts'

export const NO_HUB_APP = 'no Application on the hub starts this sync; start it on the cluster'

/** Problems by the object of the finding that is gathered from them, and refused requests by their ServiceAccount. */
const bySubject = defineJoin<ReadonlyMap<string, readonly Problem[]>>(problems.inputs, fleet => {
  const { shared, single } = fleet.join(problems)
  const found = new Map<string, Problem[]>()
  for (const { appSet, list } of shared) for (const p of list) pushTo(found, subjectKey(appSet.appSet.subject), p)
  for (const p of single) pushTo(found, subjectKey(p.of.app.subject), p)
  return found
})

const byAccount = defineJoin<ReadonlyMap<string, readonly Problem[]>>(problems.inputs, fleet => {
  const found = new Map<string, Problem[]>()
  for (const p of fleet.join(problems).all) {
    const account = p.kind === 'forbidden' ? p.forbidden?.account : undefined
    if (account !== undefined) pushTo(found, `${p.of.target}|${account.namespace}/${account.name}`, p)
  }
  return found
})

/** The problems that a finding about an Application or ApplicationSet was gathered from, of every kind. */
export function problemsOf({ subject }: Finding, fleet: Fleet): readonly Problem[] {
  return fleet.join(bySubject).get(subjectKey(subject)) ?? []
}

/** What was refused to the ServiceAccount that a finding is about. */
export function refusedTo({ subject: { cluster, namespace, name } }: Finding, fleet: Fleet): readonly Problem[] {
  return fleet.join(byAccount).get(`${cluster}|${namespace}/${name}`) ?? []
}

/** Applications of the hub of which nobody will try the sync again, behind the problems of this kind in a finding. */
export function appsOf(finding: Finding, fleet: Fleet, kind: ProblemKind): readonly Application[] {
  const found = problemsOf(finding, fleet)
    .filter(p => p.kind === kind && !p.retrying)
    .flatMap(p => p.of.hub?.app ?? (p.of.at === 'hub' ? p.of.app : []))
  return [...new Map(found.map(app => [subjectKey(app.subject), app])).values()]
}
