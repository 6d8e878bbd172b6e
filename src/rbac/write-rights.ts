import { makeBootstrapPlan } from '../bootstrap/make-plan.ts'
import { MODEL_PARTS } from '../bootstrap/part-names.ts'
import type { Settings } from '../bootstrap/settings.ts'
import { type KindName, kindOf, kindOfResource } from '../fleet/kinds.ts'
import { loadFleet } from '../fleet/load.ts'
import type { Access } from '../plan/cluster-client.ts'
import { keepObjects } from '../plan/object-reader.ts'
import { accessFor } from '../plan/permissions.ts'
import { objectSteps, type Plan } from '../plan/plan.ts'
import type { FleetSource } from '../source/source.ts'
import type { Right } from './rights.ts'

type Model = keyof typeof MODEL_PARTS

/** Names on the bare hub; none of them gets into a rule. */
const [ARGO, CLUSTER, SET, ACCOUNT] = ['argo', 'cluster', 'set', 'account']

/** The least hub on which everything has to be made: ACM, one cluster in no set, one Argo CD. */
const BARE_HUB: readonly object[] = [
  {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name: CLUSTER, uid: CLUSTER, labels: {} },
    spec: { hubAcceptsClient: true },
  },
  { apiVersion: 'argoproj.io/v1beta1', kind: 'ArgoCD', metadata: { name: ARGO, namespace: ARGO, uid: ARGO }, spec: {} },
  {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace: ARGO, uid: ARGO },
    spec: { destinations: [{ server: 'https://kubernetes.default.svc', namespace: 'default' }] },
  },
  definition('gitopsclusters.apps.open-cluster-management.io', 'v1beta1'),
  definition('multiclusterapplicationsetreports.apps.open-cluster-management.io', 'v1alpha1'),
]

function definition(name: string, version: string): object {
  const spec = { versions: [{ name: version, served: true }] }
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name }, spec }
}

const COMMON: Settings = {
  namespace: ARGO,
  set: SET,
  clusters: [CLUSTER],
  repoUrl: 'https://git.example.com/fleet.git',
  path: 'apps',
}

/** Ways of a bootstrap that write different kinds. */
const WAYS: readonly (readonly [Model, Settings])[] = [
  ['push', COMMON],
  ['push', { ...COMMON, serviceAccount: ACCOUNT, preset: 'read-only' }],
  ['pull', { ...COMMON, spokeGitops: 'policy' }],
  ['pull', { ...COMMON, spokeGitops: 'addon' }],
  ['agent', COMMON],
]

/** A plan is applied only to the hub that it was made for, which this namespace tells. */
const HUB_IDENTITY: Right = {
  kind: 'Namespace',
  verb: 'get',
  names: ['kube-system'],
  where: { scope: 'cluster' },
  checks: [],
}

/**
 * What a bootstrap writes, and what taking it back deletes: the permissions of the plan engine (permissions.ts) over plans of
 * every kind for a hub on which nothing is there yet. Names are chosen by the user, so no rule has one.
 *
 * @param command `agent` for `bootstrap agent` alone
 */
export async function rightsToWrite(command: 'bootstrap' | 'agent'): Promise<readonly Right[]> {
  const rights = new Map<string, Right>()
  for (const [model, settings] of WAYS) {
    if (command === 'agent' && model !== 'agent') continue
    for (const access of accessesOf(await planFor(model, settings))) {
      const right = rightOf(access)
      rights.set(JSON.stringify(right), right)
    }
  }
  return [HUB_IDENTITY, ...rights.values()]
}

async function planFor(model: Model, settings: Settings): Promise<Plan> {
  const kept = keepObjects(bareHub())
  const loaded = await loadFleet(kept.source, new Set())
  const request = {
    words: ['bootstrap', model],
    parts: new Set(MODEL_PARTS[model]),
    model,
    settings,
    accepted: new Set<string>(),
  }
  return makeBootstrapPlan(request, { loaded, source: kept.source, reader: kept.reader, now: new Date(0) })
}

function bareHub(): FleetSource {
  return {
    type: 'files',
    name: 'bare hub',
    read: (_, sink) => {
      for (const raw of BARE_HUB) {
        const kind = kindOfRaw(raw)
        if (kind !== undefined) sink.object('hub', kind, structuredClone(raw), 'bare hub')
      }
      const otherwise = { state: 'read', complete: true } as const
      return Promise.resolve({
        clusters: [{ name: 'hub', role: 'hub', readAt: 0, coverage: new Map(), otherwise }],
        problems: [],
      })
    },
  }
}

function kindOfRaw(raw: object): KindName | undefined {
  const [apiVersion, kind] = ['apiVersion' in raw ? raw.apiVersion : '', 'kind' in raw ? raw.kind : '']
  return kindOf(String(apiVersion), String(kind))
}

function accessesOf(plan: Plan): readonly Access[] {
  const steps = objectSteps(plan)
  const awaited = plan.steps.flatMap(step => (step.type === 'wait' ? awaitedOf(step.signal) : []))
  return [
    ...steps.flatMap(accessFor),
    // What was made is deleted when the run is taken back.
    ...steps.filter(step => step.action === 'create').flatMap(step => accessFor({ ...step, action: 'delete' })),
    ...awaited,
  ]
}

/** Single objects that a run looks at while it waits; those of the other signals are written by it, or listed. */
function awaitedOf(signal: Extract<Plan['steps'][number], { type: 'wait' }>['signal']): readonly Access[] {
  const look = (group: string, resource: string, namespace: string): Access => ({
    verb: 'get',
    group,
    resource,
    subresource: '',
    namespace,
    name: '',
  })
  return signal.signal === 'synced' ? [look('argoproj.io', 'applications', signal.namespace)] : []
}

function rightOf({ verb, group, resource, subresource, namespace }: Access): Right {
  const kind = kindOfResource(group === '' ? resource : `${resource}.${group}`)
  if (kind === undefined) throw new Error(`no kind of the chain: ${resource}.${group}`)
  return {
    kind,
    verb: verbOf(verb),
    ...(subresource === '' ? {} : { subresource }),
    names: [],
    where: namespace === ARGO ? { scope: 'roles', roles: ['argo'] } : { scope: 'cluster' },
    checks: [],
  }
}

const VERBS: readonly Right['verb'][] = ['list', 'get', 'create', 'patch', 'delete']

function verbOf(verb: string): Right['verb'] {
  const known = VERBS.find(v => v === verb)
  if (known === undefined) throw new Error(`no verb of the plan engine: ${verb}`)
  return known
}
