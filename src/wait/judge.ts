import type { Check } from '../checks/check.ts'
import { breaks, type Node, ownSeverity } from '../checks/fold.ts'
import { CHECKS } from '../checks/registry.ts'
import type { Diagnosis } from '../diagnosis.ts'
import { applications } from '../fleet/joins/applications.ts'
import { appSets } from '../fleet/joins/appsets.ts'
import { registration } from '../fleet/joins/registration.ts'
import { selection } from '../fleet/joins/selection.ts'
import { wayOf } from '../fleet/joins/ways.ts'
import { subject } from '../fleet/subject.ts'
import { allTouched } from '../impact.ts'
import { meantInstead } from '../trace/suggest.ts'
import type { Goal, GoalName } from './goals.ts'
import {
  absent,
  causeOf,
  expectedOf,
  findAppSet,
  type Judging,
  judgeApp,
  judgeAppSet,
  judgeAppSetReady,
  judgeWay,
  judging,
} from './judge-app.ts'
import {
  findPlacement,
  findRegistrar,
  judgePlacementReady,
  judgePlacementRegistered,
  judgeRegistered,
  judgeRegistrarReady,
} from './judge-selection.ts'
import { type Member, member } from './member.ts'

/** An object that is waited for, as the user named it. */
export interface Target {
  readonly namespace?: string
  readonly name: string
  /** Of an Application: clusters that it may go to. */
  readonly spokes?: readonly string[]
}

const SELECTION = new Set(['clusters', 'selection', 'registration'])

/** The checks whose findings say why a goal is not reached: all where an Application's way is looked at. */
export function checksFor({ name }: Goal): readonly Check[] {
  return name === 'registered' || name === 'ready' ? CHECKS.filter(c => SELECTION.has(c.category)) : CHECKS
}

/**
 * How each object that a goal is about is at this moment, in a stable order. At least one for each target, so that nothing
 * is never taken for everything.
 *
 * @throws UsageError where a name means several objects
 */
export function judge(diagnosis: Diagnosis, goal: Goal, targets: readonly Target[]): readonly Member[] {
  const judged = judging(diagnosis)
  return inOrder(goal.kind === 'fleet' ? judgeFleet(judged, goal.name) : targets.flatMap(t => one(judged, goal, t)))
}

/** Each member once, in a stable order. */
export function inOrder(members: readonly Member[]): readonly Member[] {
  const byKey = new Map(
    members.map(m => [`${m.subject.cluster}|${m.subject.kind}|${m.subject.namespace}/${m.subject.name}`, m]),
  )
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, m]) => m)
}

function one(diagnosis: Judging, { kind, name }: Goal, target: Target): readonly Member[] {
  switch (kind) {
    case 'app':
      return [judgeApp(diagnosis, target, name)]
    case 'appset': {
      const link = findAppSet(diagnosis, target)
      if (link === undefined)
        return [absent(diagnosis, 'ApplicationSet', target, meantInstead(diagnosis.fleet, 'appset', target.name))]
      return name === 'ready' ? [judgeAppSetReady(diagnosis, link)] : judgeAppSet(diagnosis, link, name)
    }
    case 'placement': {
      const decided = findPlacement(diagnosis, target)
      if (decided === undefined) return [absent(diagnosis, 'Placement', target)]
      if (name === 'ready') return [judgePlacementReady(diagnosis, decided)]
      if (name === 'registered') return judgePlacementRegistered(diagnosis, decided)
      const using = diagnosis.fleet
        .join(appSets)
        .all.filter(l => l.generators.some(g => g.placements.some(p => p.placement === decided.placement)))
      if (using.length === 0) return [member(decided.placement.subject, 'waiting', 'no ApplicationSet generates by it')]
      return using.flatMap(link => judgeAppSet(diagnosis, link, name))
    }
    default: {
      const registrar = findRegistrar(diagnosis, target)
      if (registrar === undefined) return [absent(diagnosis, 'GitOpsCluster', target)]
      return name === 'ready' ? [judgeRegistrarReady(diagnosis, registrar)] : judgeRegistered(diagnosis, registrar)
    }
  }
}

/** The whole fleet has no object of its own; the hub stands for it where there is nothing to judge. */
function emptyFleet({ fleet }: Diagnosis, what: 'Application' | 'GitOpsCluster'): Member {
  const at = subject('hub', what, '', '')
  return fleet.hub.knows(what)
    ? member(at, 'waiting', `there is no ${what} on the hub`)
    : member(at, 'unknown', `${what}s could not be read`)
}

function judgeFleet(diagnosis: Judging, goal: GoalName): readonly Member[] {
  const { fleet } = diagnosis
  const registrars = fleet.join(registration).all
  if (goal === 'registered') {
    const found = registrars.flatMap(r => judgeRegistered(diagnosis, r))
    return found.length > 0 ? found : [emptyFleet(diagnosis, 'GitOpsCluster')]
  }
  if (goal === 'ready') {
    const found = [
      ...[...fleet.join(selection).byPlacement.values()].map(d => judgePlacementReady(diagnosis, d)),
      ...registrars.map(r => judgeRegistrarReady(diagnosis, r)),
      ...fleet.join(appSets).all.map(l => judgeAppSetReady(diagnosis, l)),
    ]
    return found.length > 0 ? found : [emptyFleet(diagnosis, 'GitOpsCluster')]
  }
  const own = fleet.join(applications).all.map(link => ({ way: wayOf(link), remembered: '' }))
  const lacking = fleet
    .join(appSets)
    .all.flatMap(link => expectedOf(diagnosis, link))
    .filter(f => f.way.link === undefined)
  const barren = fleet.join(appSets).all.filter(link => expectedOf(diagnosis, link).length === 0)
  const found = [
    ...[...own, ...lacking].map(f => judgeWay(diagnosis, f, goal)),
    ...barren.flatMap(link => judgeAppSet(diagnosis, link, goal)),
  ]
  const apps = found.length > 0 ? found : [emptyFleet(diagnosis, 'Application')]
  return goal === 'healthy' ? [...apps, ...beside(diagnosis), ...unseen(diagnosis)] : apps
}

/** Errors of the doctor that strike no Application: the fleet is not healthy with them either. */
function beside(diagnosis: Diagnosis): readonly Member[] {
  const isError = (node: Node): boolean => node.severity === 'error' || ownSeverity(node.found) === 'error'
  return diagnosis.roots
    .filter(root => isError(root) && (!breaks(root.found) || allTouched(diagnosis.fleet, root).size === 0))
    .map(root => member(root.found.finding.subject, 'failed', root.found.finding.message, { cause: causeOf(root) }))
}

/** What the doctor could not see: each list once. */
function unseen({ run, lost }: Diagnosis): readonly Member[] {
  const found = new Map<string, Member>()
  for (const u of run.unknown.flatMap(check => check.unseen)) {
    const at = { cluster: u.cluster, group: '', kind: u.resource, namespace: '', name: '' }
    found.set(`${u.cluster} ${u.resource}`, member(at, 'unknown', u.reason))
  }
  for (const l of lost.slice(0, 1)) found.set('lost', member(l.subject, 'unknown', `field ignored: ${l.text}`))
  return [...found.values()]
}
