import { defineJoin, type Fleet, inputsOf } from '../../fleet/fleet.ts'
import { type Reconciled, reconciled } from '../../fleet/joins/reconciled.ts'
import { groupBy } from '../../fleet/maps.ts'
import { can, RBAC_KINDS } from '../../fleet/rbac.ts'
import type { Application, OperationState } from '../../fleet/records.ts'
import type { Evidence } from '../check.ts'
import { count, fact, olderThan, SECOND } from '../support.ts'
import { type Forbidden, type MessageKind, messageKind, parseForbidden } from './messages.ts'

export type ProblemKind =
  | MessageKind
  | 'gave-up'
  | 'hook-waits'
  | 'failed'
  | 'not-started'
  | 'fights'
  | 'out-of-sync'
  | 'unhealthy'
  | 'unknown'
  | 'progressing'

/** What keeps an Application from being Synced and Healthy: the first that applies, as its own controller tells it. */
export interface Problem {
  readonly of: Reconciled
  readonly kind: ProblemKind
  readonly text: string
  readonly since: number | undefined
  readonly evidence: readonly Evidence[]
  readonly forbidden: Forbidden | undefined
  /** The operation is still tried again by itself. */
  readonly retrying: boolean
}

/** A hook that takes longer than this holds up delivery enough to be named. */
const HOOK_PATIENCE = 15 * SECOND
/** A synced workload that is not up after this is named, as a warning: a roll-out may well take longer. */
const ROLL_OUT = 20 * SECOND
/** A sync, a first comparison or a roll-out under way is no fault for so long. */
const PATIENCE = 30 * SECOND

/** All texts in which an operation may tell its cause: the summary often says only "(dry run)" (seen). */
function operationTexts(op: OperationState): string[] {
  return [
    op.message,
    ...op.resources
      .filter(r => r.status === 'SyncFailed' || r.hookPhase === 'Failed' || r.hookPhase === 'Error')
      .map(r => r.message),
  ]
}

/** The most telling of several texts: one whose form is known before one that is not. */
function telling(texts: readonly string[]): { kind: MessageKind; text: string } | undefined {
  const known = texts.filter(t => t !== '').map(text => ({ kind: messageKind(text), text }))
  return known.find(k => k.kind === 'forbidden') ?? known.find(k => k.kind !== 'other') ?? known[0]
}

const SPEC_CONDITIONS = new Set(['InvalidSpecError', 'ComparisonError', 'UnknownError', 'AgentError', 'DeletionError'])

function fromConditions(of: Reconciled): Problem | undefined {
  const found = of.app.conditions.filter(
    c => SPEC_CONDITIONS.has(c.type) || (c.type === 'SyncError' && messageKind(c.message) === 'would-empty'),
  )
  const first = found.find(c => c.type === 'InvalidSpecError') ?? found[0]
  if (first === undefined) return undefined
  const told = telling(found.map(c => c.message)) ?? { kind: 'other' as const, text: first.message }
  return {
    of,
    kind: told.kind,
    text: told.text,
    since: first.since,
    evidence: found.map(c => fact(of.app, `.status.conditions[${c.type}]`, c.message)),
    forbidden: parseForbidden(told.text),
    retrying: true,
  }
}

function operationEvidence(app: Application, op: OperationState): Evidence[] {
  const retries = op.retryCount > 0 ? `, retried ${count(op.retryCount, 'time')}` : ''
  return [
    fact(app, '.status.operationState', `${op.phase}${retries}: ${op.message}`),
    ...op.resources
      .filter(r => r.status === 'SyncFailed' && r.message !== '' && !op.message.includes(r.message))
      .slice(0, 3)
      .map(r => fact(app, `.status.operationState.syncResult.resources[${r.kind} ${r.name}]`, r.message)),
  ]
}

/** Is what was refused allowed by now? Then the message is older than its remedy. */
function allowedNow(fleet: Fleet, of: Reconciled, f: Forbidden): boolean {
  const view = of.target === 'hub' ? fleet.hub : fleet.spokes.get(of.target)
  if (view === undefined) return false
  return can(view, f.account, { verb: f.verb, group: f.group, resource: f.resource, namespace: f.namespace }) === 'yes'
}

function fromOperation(fleet: Fleet, of: Reconciled): Problem | undefined {
  const { app } = of
  const op = app.operation
  if (op === undefined || op.phase === 'Succeeded' || op.phase === '') return undefined
  const told = telling(operationTexts(op)) ?? { kind: 'other' as const, text: op.message }
  const common = { of, text: told.text, since: op.startedAt, evidence: operationEvidence(app, op) }
  if (op.phase === 'Running' && told.kind === 'hook') {
    return olderThan(fleet.now, op.startedAt, HOOK_PATIENCE)
      ? { ...common, kind: 'hook-waits', forbidden: undefined, retrying: true }
      : undefined
  }
  const retrying = op.phase === 'Running' || op.phase === 'Terminating'
  if (retrying && told.kind === 'other' && op.retryCount === 0) {
    return olderThan(fleet.now, op.startedAt, 20 * PATIENCE)
      ? { ...common, kind: 'other', forbidden: undefined, retrying }
      : undefined
  }
  const forbidden = parseForbidden(told.text)
  if (forbidden !== undefined && allowedNow(fleet, of, forbidden)) {
    // It will be tried again: nothing is left to mend. It will not: somebody must start it.
    return retrying ? undefined : { ...common, kind: 'gave-up', forbidden, retrying }
  }
  return { ...common, kind: told.kind === 'other' && !retrying ? 'failed' : told.kind, forbidden, retrying }
}

/** Something changes the objects back after every heal (seen: OutOfSync after a Succeeded sync of the same revision). */
function fights(app: Application): boolean {
  const op = app.operation
  return (
    app.sync === 'OutOfSync' &&
    app.syncPolicy.selfHeal &&
    op?.phase === 'Succeeded' &&
    op.autoHealAttempts > 1 &&
    (op.syncRevision === '' || op.syncRevision === app.revision)
  )
}

const TROUBLED = new Set(['Degraded', 'Missing', 'Progressing', 'Unknown'])

function fromState(fleet: Fleet, of: Reconciled): Problem | undefined {
  const { app } = of
  if (app.sync !== 'OutOfSync' && app.sync !== 'Unknown' && !TROUBLED.has(app.health)) return undefined
  const status = fact(app, '.status', `sync ${app.sync || 'empty'}, health ${app.health || 'empty'}`)
  const common = { of, forbidden: undefined, retrying: false, evidence: [status] }
  const age = app.reconciledAt ?? app.meta.created
  if (app.sync === 'OutOfSync') {
    if (fights(app)) {
      const changed = app.resources.filter(r => r.status === 'OutOfSync')
      return {
        ...common,
        kind: 'fights',
        text: `healed ${app.operation?.autoHealAttempts ?? 0} times in a row`,
        since: app.operation?.finishedAt,
        evidence: [
          status,
          fact(
            app,
            '.status.operationState.operation.sync.autoHealAttemptsCount',
            app.operation?.autoHealAttempts ?? 0,
          ),
          ...changed
            .slice(0, 5)
            .map(r => fact(app, '.status.resources', `${r.kind} ${r.namespace}/${r.name} is OutOfSync`)),
        ],
      }
    }
    if (!app.syncPolicy.automated && app.operation === undefined) {
      return {
        ...common,
        kind: 'not-started',
        text: 'no automated sync, and nobody has started one',
        since: app.meta.created,
        evidence: [
          status,
          fact(app, '.spec.syncPolicy.automated', 'absent'),
          fact(app, '.status.operationState', 'absent'),
        ],
      }
    }
    // What runs and is broken matters more than what is not there yet.
    if (app.health !== 'Degraded' && olderThan(fleet.now, app.operation?.finishedAt ?? age, 10 * PATIENCE)) {
      return { ...common, kind: 'out-of-sync', text: 'OutOfSync for some time', since: app.operation?.finishedAt }
    }
  }
  const text =
    app.healthMessage !== ''
      ? app.healthMessage
      : app.resources
          .filter(r => r.health === app.health)
          .map(r => `${r.kind} ${r.namespace}/${r.name}`)
          .slice(0, 3)
          .join(', ')
  if (app.health === 'Degraded') return { ...common, kind: 'unhealthy', text, since: age }
  // The controller says why in a condition; where it does not, or a health script fails, nothing is known all the same.
  if ((app.sync === 'Unknown' || app.health === 'Unknown') && olderThan(fleet.now, app.meta.created ?? 0, PATIENCE))
    return { ...common, kind: 'unknown', text, since: age }
  if (app.health === 'Missing' && app.sync === 'Synced') return { ...common, kind: 'unhealthy', text, since: age }
  if (
    app.health === 'Progressing' &&
    app.sync === 'Synced' &&
    olderThan(fleet.now, app.operation?.finishedAt ?? app.meta.created, ROLL_OUT)
  ) {
    return { ...common, kind: 'progressing', text, since: app.operation?.finishedAt ?? app.meta.created }
  }
  return undefined
}

function problemOf(fleet: Fleet, of: Reconciled): Problem | undefined {
  const { app } = of
  // Somebody else's copy of a status on the hub, or an Application that nobody has looked at yet, tells nothing.
  if (app.sync === '' && app.conditions.length === 0) return undefined
  return fromConditions(of) ?? fromOperation(fleet, of) ?? fromState(fleet, of)
}

/** Kinds that lie in the template or in Git, so that all Applications of an ApplicationSet suffer from them alike. */
const TEMPLATE_KINDS: ReadonlySet<ProblemKind> = new Set([
  'path-missing',
  'revision-missing',
  'repository-auth',
  'repository-host-key',
  'repository-tls',
  'repository-unreachable',
  'plugin-missing',
  'rendering',
  'signature',
  'namespace-missing',
  'not-started',
  'project-missing',
])

export interface Problems {
  readonly all: readonly Problem[]
  /** Problems that every Application of an ApplicationSet has (two at least): the template, or what it names, is to blame. */
  readonly shared: readonly {
    readonly appSet: NonNullable<Reconciled['appSet']>
    readonly kind: ProblemKind
    readonly list: readonly Problem[]
  }[]
  /** The others, one by one. */
  readonly single: readonly Problem[]
}

export const problems = defineJoin<Problems>(inputsOf(reconciled, { hub: RBAC_KINDS, spoke: RBAC_KINDS }), fleet => {
  const list = fleet.join(reconciled)
  const all = list.flatMap(of => problemOf(fleet, of) ?? [])
  const members = groupBy(
    list.filter(r => r.appSet !== undefined),
    r => r.appSet,
  )
  const bySet = groupBy(all, p => p.of.appSet)
  const shared: { appSet: NonNullable<Reconciled['appSet']>; kind: ProblemKind; list: Problem[] }[] = []
  const taken = new Set<Problem>()
  for (const [appSet, own] of members) {
    if (appSet === undefined || own.length < 2) continue
    for (const [kind, found] of groupBy(bySet.get(appSet) ?? [], p => p.kind)) {
      if (!TEMPLATE_KINDS.has(kind) || found.length < own.length) continue
      shared.push({ appSet, kind, list: found })
      for (const p of found) taken.add(p)
    }
  }
  return { all, shared, single: all.filter(p => !taken.has(p)) }
})
