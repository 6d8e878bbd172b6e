import type {
  AppCondition,
  Application,
  ApplicationSet,
  AppProject,
  ArgoCD,
  DecisionGenerator,
  Destination,
  OperationState,
  ResourceStatus,
  Source,
  SyncPolicy,
  SyncResultResource,
} from '../records.ts'
import { canonicalHash } from './canonical.ts'
import { projectBase, projectConditions, projectSelector } from './common.ts'
import { type Fields, isRaw } from './fields.ts'
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
function sources(spec: Fields): readonly Source[] {
  const many = spec.objs('sources')
  if (many.length > 0) return many.map(source)
  return spec.has('source') ? [source(spec.obj('source'))] : []
}

const keptDestination = repeated<Destination>(
  (a, b) => a.server === b.server && a.name === b.name && a.namespace === b.namespace,
)

function destination(spec: Fields): Destination {
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

function syncPolicy(spec: Fields): SyncPolicy {
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

const PULL_LABEL = 'apps.open-cluster-management.io/pull-to-ocm-managed-cluster'
const PULL_TARGET = 'apps.open-cluster-management.io/ocm-managed-cluster'

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

interface Generators {
  readonly decisions: DecisionGenerator[]
  readonly types: string[]
  nested: boolean
}

/** Generators of a list, matrix and merge included: both hold further `generators` (argo-cd applicationset types). */
function collectGenerators(list: readonly Fields[], into: Generators, depth: number): void {
  if (depth > 4) return
  for (const g of list) {
    for (const type of Object.keys(g.raw)) {
      if (type === 'selector' || !g.has(type)) continue
      if (type === 'matrix' || type === 'merge') {
        into.nested = true
        collectGenerators(g.obj(type).objs('generators'), into, depth + 1)
        continue
      }
      into.types.push(type)
      if (type !== 'clusterDecisionResource') continue
      const d = g.obj(type)
      into.decisions.push({
        configMapRef: d.str('configMapRef'),
        resourceName: d.str('name'),
        labelSelector: projectSelector(d, 'labelSelector'),
        requeueAfterSeconds: d.num('requeueAfterSeconds'),
        values: d.map('values'),
      })
    }
  }
}

export function applicationSet(cluster: string, o: Fields): ApplicationSet {
  const spec = o.obj('spec')
  const status = o.obj('status')
  const generators: Generators = { decisions: [], types: [], nested: false }
  const list = spec.objs('generators')
  collectGenerators(list, generators, 0)
  const template = spec.obj('template')
  const generated = template.obj('metadata')
  const appSpec = template.obj('spec')
  const policy = spec.obj('syncPolicy')
  const preserved = spec.obj('preservedFields')
  const { subject, meta } = projectBase(cluster, 'ApplicationSet', o)
  return {
    subject,
    meta,
    goTemplate: spec.bool('goTemplate') ?? false,
    decisionGenerators: generators.decisions,
    generatorTypes: generators.types,
    simple:
      !generators.nested &&
      generators.types.length === 1 &&
      generators.decisions.length === 1 &&
      !(list[0]?.has('selector') ?? false),
    template: {
      name: generated.str('name'),
      namespace: generated.str('namespace'),
      labels: generated.map('labels'),
      annotations: generated.map('annotations'),
      finalizers: generated.strs('finalizers'),
      project: appSpec.str('project'),
      sources: sources(appSpec),
      destination: destination(appSpec),
      syncPolicy: syncPolicy(appSpec),
    },
    hasTemplatePatch: spec.str('templatePatch') !== '',
    preserveResourcesOnDeletion: policy.bool('preserveResourcesOnDeletion') ?? false,
    applicationsSync: policy.str('applicationsSync'),
    preservedKeys: [...preserved.strs('annotations'), ...preserved.strs('labels')],
    ignoresDifferences: spec.objs('ignoreApplicationDifferences').length > 0,
    hasStatus: o.has('status'),
    conditions: projectConditions(status),
    resources: status.objs('resources').map(r => ({ namespace: r.str('namespace'), name: r.str('name') })),
  }
}

export function appProject(cluster: string, o: Fields): AppProject {
  const spec = o.obj('spec')
  const { subject, meta } = projectBase(cluster, 'AppProject', o)
  return {
    subject,
    meta,
    destinations: spec
      .objs('destinations')
      .map(d => ({ server: d.str('server'), name: d.str('name'), namespace: d.str('namespace') })),
    sourceRepos: spec.strs('sourceRepos'),
    sourceNamespaces: spec.strs('sourceNamespaces'),
  }
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** Paths of `applied` that `is` lacks; what holds a list or a value is a leaf. */
function* lacking(applied: unknown, is: unknown, path: string): Generator<string> {
  if (is === undefined) yield path
  else if (isRaw(applied) && isRaw(is))
    for (const [key, value] of Object.entries(applied)) yield* lacking(value, is[key], `${path}.${key}`)
}

/** The API server drops fields that a CRD does not know without a word (agent-mode.md 0.1). */
function droppedFields(o: Fields): readonly string[] {
  const text = o.obj('metadata').obj('annotations').str(LAST_APPLIED)
  if (text === '') return []
  let applied: unknown
  try {
    applied = JSON.parse(text)
  } catch {
    return []
  }
  const wanted = isRaw(applied) && isRaw(applied.spec) ? applied.spec : {}
  const spec = isRaw(o.raw.spec) ? o.raw.spec : {}
  return ['argoCDAgent', 'controller'].flatMap(key =>
    wanted[key] === undefined ? [] : [...lacking(wanted[key], spec[key], `.spec.${key}`)],
  )
}

export function argoCD(cluster: string, o: Fields): ArgoCD {
  const spec = o.obj('spec')
  const status = o.obj('status')
  const mode = spec.obj('argoCDAgent')
  const p = mode.obj('principal')
  const a = mode.obj('agent')
  const client = a.obj('client')
  const server = p.obj('server')
  const { subject, meta } = projectBase(cluster, 'ArgoCD', o)
  return {
    subject,
    meta,
    controllerEnabled: spec.obj('controller').bool('enabled') ?? true,
    serverEnabled: spec.obj('server').bool('enabled'),
    sourceNamespaces: spec.strs('sourceNamespaces'),
    applicationSetSourceNamespaces: spec.obj('applicationSet').strs('sourceNamespaces'),
    principal: mode.has('principal')
      ? {
          enabled: p.bool('enabled') ?? false,
          destinationBasedMapping: p.bool('destinationBasedMapping') ?? false,
          auth: p.str('auth'),
          allowedNamespaces: p.obj('namespace').strs('allowedNamespaces'),
          routeEnabled: server.obj('route').bool('enabled'),
          serviceType: server.obj('service').str('type'),
          redisAddress: p.obj('redis').str('serverAddress'),
        }
      : undefined,
    agent: mode.has('agent')
      ? {
          enabled: a.bool('enabled') ?? false,
          mode: client.str('mode'),
          principalAddress: client.str('principalServerAddress'),
          principalPort: client.str('principalServerPort'),
          destinationBasedMapping: a.obj('destinationBasedMapping').bool('enabled') ?? false,
          createNamespace: a.obj('destinationBasedMapping').bool('createNamespace') ?? false,
          allowedNamespaces: a.strs('allowedNamespaces'),
        }
      : undefined,
    ha: spec.obj('ha').bool('enabled') ?? false,
    dropped: droppedFields(o),
    phase: status.str('phase'),
    conditions: projectConditions(status),
  }
}
