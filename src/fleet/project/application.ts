import { PULL_LABEL, PULL_TARGET } from '../labels.ts'
import type {
  AppCondition,
  Application,
  Destination,
  OperationState,
  ResourceStatus,
  Source,
  SyncPolicy,
  SyncResultResource,
} from '../records.ts'
import { canonicalHash } from './canonical.ts'
import { projectBase } from './common.ts'
import type { Fields } from './fields.ts'
import { orEmpty, repeated, repeatedList } from './repeated.ts'

function source(s: Fields): Source {
  return {
    repoURL: s.word('repoURL'),
    path: s.str('path'),
    chart: s.str('chart'),
    targetRevision: s.word('targetRevision'),
    ref: s.str('ref'),
  }
}

/** `.sources` when there are any, else `.source`: the order in which Argo CD looks at them. */
export function sources(spec: Fields): readonly Source[] {
  const many = spec.objs('sources')
  if (many.length > 0) return many.map(source)
  return spec.has('source') ? [source(spec.obj('source'))] : []
}

const keptDestination = repeated<Destination>(
  (a, b) => a.server === b.server && a.name === b.name && a.namespace === b.namespace,
)

/** The destination of a spec. Thousands of Applications share a few, so each is kept once. */
export function destination(spec: Fields): Destination {
  const d = spec.obj('destination')
  return keptDestination({ server: d.word('server'), name: d.word('name'), namespace: d.word('namespace') })
}

const keptPolicy = repeated<SyncPolicy>(
  (a, b) =>
    a.automated === b.automated &&
    a.prune === b.prune &&
    a.selfHeal === b.selfHeal &&
    a.retryLimit === b.retryLimit &&
    a.syncOptions.length === b.syncOptions.length &&
    a.syncOptions.every((option, i) => option === b.syncOptions[i]),
)

/** The sync policy of a spec; shared like destinations. */
export function syncPolicy(spec: Fields): SyncPolicy {
  const p = spec.obj('syncPolicy')
  const automated = p.obj('automated')
  return keptPolicy({
    // `automated: {}` switches it on; `enabled: false` (newer Argo CD) switches it off again.
    automated: p.has('automated') && automated.bool('enabled') !== false,
    prune: automated.bool('prune') ?? false,
    selfHeal: automated.bool('selfHeal') ?? false,
    syncOptions: p.strs('syncOptions'),
    retryLimit: p.obj('retry').num('limit'),
  })
}

/** Tells of every pull Application where else to look (push-pull.md 1.13): a text that nobody needs 50,000 times. */
const POINTER = 'AdditionalStatusReport'

function appConditions(status: Fields): readonly AppCondition[] {
  const conditions = status.objs('conditions').map(c => {
    const type = c.word('type')
    return { type, message: type === POINTER ? '' : c.str('message'), since: c.time('lastTransitionTime') }
  })
  return orEmpty(conditions)
}

/** A resource of a sync whose apply or hook failed; the others have nothing to tell, and there are many. */
function failure(r: Fields): SyncResultResource[] {
  const status = r.str('status')
  const hookPhase = r.str('hookPhase')
  if (status !== 'SyncFailed' && hookPhase !== 'Failed' && hookPhase !== 'Error') return []
  return [
    {
      group: r.str('group'),
      kind: r.str('kind'),
      namespace: r.str('namespace'),
      name: r.str('name'),
      status,
      message: r.str('message'),
      hookType: r.str('hookType'),
      hookPhase,
    },
  ]
}

function operationState(status: Fields): OperationState | undefined {
  if (!status.has('operationState')) return undefined
  const s = status.obj('operationState')
  const result = s.obj('syncResult')
  return {
    phase: s.str('phase'),
    message: s.word('message'),
    startedAt: s.time('startedAt'),
    finishedAt: s.time('finishedAt'),
    retryCount: s.num('retryCount') ?? 0,
    autoHealAttempts: s.obj('operation').obj('sync').num('autoHealAttemptsCount') ?? 0,
    syncRevision: result.word('revision'),
    resources: orEmpty(result.objs('resources').flatMap(failure)),
  }
}

/** Newest write of the argocd-agent principal, from managedFields (agent-mode.md 4.6). */
function agentWroteAt(o: Fields): number | undefined {
  let newest: number | undefined
  for (const entry of o.obj('metadata').objs('managedFields')) {
    if (entry.raw.manager !== 'argocd-agent') continue
    const at = entry.time('time')
    if (at !== undefined && (newest === undefined || at > newest)) newest = at
  }
  return newest
}

const keptResources = repeatedList<ResourceStatus>(
  (a, b) =>
    a.name === b.name &&
    a.namespace === b.namespace &&
    a.kind === b.kind &&
    a.group === b.group &&
    a.status === b.status &&
    a.health === b.health &&
    a.healthMessage === b.healthMessage &&
    a.hook === b.hook &&
    a.requiresPruning === b.requiresPruning,
)

function resourceStatus(r: Fields): ResourceStatus {
  const h = r.obj('health')
  return {
    group: r.word('group'),
    kind: r.word('kind'),
    namespace: r.word('namespace'),
    name: r.word('name'),
    status: r.str('status'),
    health: h.str('status'),
    healthMessage: h.str('message'),
    hook: r.bool('hook') ?? false,
    requiresPruning: r.bool('requiresPruning') ?? false,
  }
}

export function application(cluster: string, o: Fields): Application {
  const { subject, meta } = projectBase(cluster, 'Application', o)
  const spec = o.obj('spec')
  const status = o.obj('status')
  const sync = status.obj('sync')
  const health = status.obj('health')
  const { labels, annotations } = meta
  // Only pull Applications are compared with a payload; hashing 50,000 pushed ones would buy nothing.
  const compare = cluster !== 'hub' || PULL_LABEL in labels || PULL_TARGET in annotations
  return {
    subject,
    meta,
    project: spec.word('project'),
    sources: sources(spec),
    destination: destination(spec),
    syncPolicy: syncPolicy(spec),
    specHash: compare ? canonicalHash(spec.raw, ['destination']) : '',
    operationPending: o.has('operation'),
    hasStatus: o.has('status'),
    sync: sync.str('status'),
    revision: sync.word('revision'),
    health: health.str('status'),
    healthMessage: health.str('message'),
    operation: operationState(status),
    conditions: appConditions(status),
    resources: keptResources(status.objs('resources').map(resourceStatus)),
    controllerNamespace: status.word('controllerNamespace'),
    reconciledAt: status.time('reconciledAt'),
    agentWroteAt: agentWroteAt(o),
  }
}
