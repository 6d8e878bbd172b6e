import type { Node } from '../checks/fold.ts'
import { lasting } from '../checks/support.ts'
import type { Diagnosis } from '../diagnosis.ts'
import { UsageError } from '../errors.ts'
import { type AppSetLink, appSetKey, appSets } from '../fleet/joins/appsets.ts'
import { condition } from '../fleet/joins/clusters.ts'
import type { Way } from '../fleet/joins/ways.ts'
import { subject } from '../fleet/subject.ts'
import { allTouched } from '../impact.ts'
import { faultOf } from '../trace/fault.ts'
import { type AppRef, type FoundWay, findWay, UnknownNameError } from '../trace/find.ts'
import { waysOfAppSet } from '../trace/run.ts'
import { meantInstead } from '../trace/suggest.ts'
import { type AppTruth, appTruth, type KnownState } from './app-truth.ts'
import type { GoalName } from './goals.ts'
import { type Member, member } from './member.ts'

/** Findings about what comes after a sync (a workload that is not healthy yet, or not at all): they say nothing against Synced. */
const AFTER_SYNC = new Set(['FLT0505', 'FLT0514', 'FLT0532'])

/** Phases of an operation that still runs (Argo CD's OperationPhase). */
const RUNNING = new Set(['Running', 'Terminating'])

/** A diagnosis that is judged: the faults of many ways are looked for at once. */
export interface Judging extends Diagnosis {
  /** The fault that breaks a way first, as its trace names it. */
  readonly faultOf: (way: Way) => Node | undefined
}

export function judging(diagnosis: Diagnosis): Judging {
  const struck = new Set<string>()
  for (const root of diagnosis.roots) for (const way of allTouched(diagnosis.fleet, root)) struck.add(way.key)
  // Of an Application that is not there nothing is touched yet; its way is looked at by itself.
  return {
    ...diagnosis,
    faultOf: way =>
      way.link !== undefined && !struck.has(way.key) ? undefined : faultOf(diagnosis.fleet, diagnosis.roots, way),
  }
}

export function causeOf(node: Node): Member['cause'] {
  const { check, finding } = node.found
  return { code: check.code, subject: finding.subject, message: finding.message }
}

/** Checks give a state that is on its way the time that it takes; what is no error after that may still come by itself. */
export function stateBy(fault: Node): 'failed' | 'waiting' {
  return fault.severity === 'error' ? 'failed' : 'waiting'
}

/** Does the fault keep the Application from the goal? A wrong report on the hub keeps nobody from being synced. */
function counts(goal: GoalName, { found }: Node): boolean {
  return goal !== 'synced' || (found.check.category !== 'status' && !AFTER_SYNC.has(found.check.code))
}

function stateText({ sync, health, phase, message }: KnownState): string {
  const operation = phase === '' || phase === 'Succeeded' ? '' : `, operation ${phase}`
  const why = message === '' || operation === '' ? '' : `: ${message}`
  return `${sync || 'no sync status'}, ${health || 'no health'}${operation}${why}`
}

/** Judges by the status alone, where no finding speaks. */
function byStatus(goal: GoalName, truth: KnownState): Pick<Member, 'state' | 'reason'> {
  const reason = stateText(truth)
  if (truth.pending || RUNNING.has(truth.phase)) return { state: 'waiting', reason: `${reason}, a sync is running` }
  const isMet = goal === 'healthy' ? truth.health === 'Healthy' : truth.sync === 'Synced'
  if (isMet) return { state: 'met', reason }
  // A sync that gave up is not tried again for this revision; Degraded is Argo CD's word for what will not come by itself.
  const isFailed =
    goal === 'healthy' ? truth.health === 'Degraded' : truth.phase === 'Failed' || truth.phase === 'Error'
  return { state: isFailed ? 'failed' : 'waiting', reason }
}

/** One Application, existing or to come, against `healthy`, `synced` or `delivered`. */
export function judgeWay(diagnosis: Judging, { way, remembered }: FoundWay, goal: GoalName): Member {
  const { fleet } = diagnosis
  const app = way.link?.app
  if (app?.meta.deleting !== undefined) {
    const reason = `is being deleted for ${lasting(fleet.now, app.meta.deleting)}`
    return member(way.subject, 'failed', reason, { asOf: app.meta.deleting })
  }
  const truth: AppTruth = appTruth(fleet, way)
  const { source } = truth
  const said = { source, asOf: truth.known ? truth.asOf : undefined }
  const fault = diagnosis.faultOf(way)
  if (fault !== undefined && counts(goal, fault)) {
    return member(way.subject, stateBy(fault), fault.found.finding.message, { ...said, cause: causeOf(fault) })
  }
  if (!truth.known) {
    const more = app === undefined && remembered !== '' ? `; ${remembered}` : ''
    return member(way.subject, truth.state, `${truth.reason}${more}`, said)
  }
  const { state, reason } = byStatus(goal, truth)
  return member(way.subject, state, reason, said)
}

/**
 * The Application of a name. One that nothing knows may still come.
 *
 * @throws UsageError where several have the name
 */
export function judgeApp(diagnosis: Judging, ref: AppRef, goal: GoalName): Member {
  let found: FoundWay
  try {
    found = findWay(diagnosis.fleet, ref)
  } catch (error) {
    if (!(error instanceof UnknownNameError)) throw error
    return absent(diagnosis, 'Application', ref, meantInstead(diagnosis.fleet, 'app', ref.name))
  }
  return judgeWay(diagnosis, found, goal)
}

/** An object that is not there; unknown where its kind could not be read. */
export function absent(
  { fleet }: Pick<Diagnosis, 'fleet'>,
  kind: 'Application' | 'ApplicationSet' | 'Placement' | 'GitOpsCluster',
  ref: { readonly namespace?: string; readonly name: string },
  hint = '',
): Member {
  const at = { ...subject('hub', kind, ref.namespace ?? '', ref.name), missing: true as const }
  const coverage = fleet.hub.coverage(kind)
  if (fleet.hub.knows(kind, ref.namespace)) {
    const why = coverage.state === 'not-served' ? `the hub does not serve ${kind}` : 'does not exist'
    return member(at, 'waiting', `${why}${hint}`)
  }
  const reason = 'reason' in coverage ? coverage.reason : undefined
  return member(at, 'unknown', reason ?? `${kind}s could not all be read`)
}

/** The objects that a reference may mean; several only where it names no namespace. @throws UsageError for several */
export function theOne<T>(found: readonly T[], key: (of: T) => string, name: string): T | undefined {
  const [first, second] = found
  if (second === undefined) return first
  throw new UsageError(`"${name}" is ambiguous: ${found.map(key).sort().join(', ')} (give NAMESPACE/NAME)`)
}

export function findAppSet(
  { fleet }: Pick<Diagnosis, 'fleet'>,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
): AppSetLink | undefined {
  const fits = fleet
    .join(appSets)
    .all.filter(l => l.appSet.meta.name === name && (namespace === undefined || l.appSet.meta.namespace === namespace))
  return theOne(fits, l => appSetKey(l.appSet), name)
}

/** Applications that it has, and those that it lacks for clusters that are decided. */
export function expectedOf(diagnosis: Pick<Diagnosis, 'fleet'>, link: AppSetLink): readonly FoundWay[] {
  const decided = new Set(link.generators.flatMap(g => [...g.clusters]))
  return waysOfAppSet(diagnosis, link).filter(f => f.way.link !== undefined || decided.has(f.way.cluster))
}

/** The Applications of an ApplicationSet against a goal; the ApplicationSet itself where it has none. */
export function judgeAppSet(diagnosis: Judging, link: AppSetLink, goal: GoalName): readonly Member[] {
  const expected = expectedOf(diagnosis, link)
  if (expected.length > 0) return expected.map(found => judgeWay(diagnosis, found, goal))
  return [barren(diagnosis, link)]
}

/** An ApplicationSet without Applications: what would have to be mended is on the way of those that it would have. */
function barren(diagnosis: Judging, link: AppSetLink): Member {
  const fault = waysOfAppSet(diagnosis, link)
    .map(({ way }) => diagnosis.faultOf(way))
    .find(node => node !== undefined)
  const { subject: at } = link.appSet
  if (fault !== undefined) return member(at, stateBy(fault), fault.found.finding.message, { cause: causeOf(fault) })
  const isSeen = diagnosis.fleet.hub.knows('Application') && diagnosis.fleet.hub.knows('PlacementDecision')
  return member(at, isSeen ? 'waiting' : 'unknown', 'has made no Application')
}

/** `ready` of an ApplicationSet: it has no error, and an Application for each decided cluster (push-pull 1.8: green with none is the trap). */
export function judgeAppSetReady(diagnosis: Judging, link: AppSetLink): Member {
  const { appSet, owned } = link
  const error = condition(appSet, 'ErrorOccurred')
  if (error?.status === 'True') {
    return member(appSet.subject, 'failed', `${error.reason}: ${error.message}`, { asOf: error.since })
  }
  const lacking = expectedOf(diagnosis, link).filter(f => f.way.link === undefined)
  if (lacking.length > 0) {
    const list = lacking.map(f => f.way.subject.name).sort()
    const rest = list.length > 3 ? ` and ${list.length - 3} more` : ''
    return member(appSet.subject, 'waiting', `lacks ${list.slice(0, 3).join(', ')}${rest}`)
  }
  if (owned.length === 0) return barren(diagnosis, link)
  const current = condition(appSet, 'ResourcesUpToDate')
  if (error === undefined || current?.status === 'False')
    return member(appSet.subject, 'waiting', current?.message || 'has no status yet', { asOf: current?.since })
  return member(appSet.subject, 'met', `${owned.length} generated`, { asOf: error.since })
}
