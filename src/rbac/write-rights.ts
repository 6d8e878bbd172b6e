import { DEDICATED_NAMESPACE } from '../agent/make-agent-plan.ts'
import { makeBootstrapPlan } from '../bootstrap/make-plan.ts'
import { MODEL_PARTS } from '../bootstrap/part-names.ts'
import type { Settings } from '../bootstrap/settings.ts'
import { KINDS, type KindName, kindCalled, kindOfResource } from '../fleet/kinds.ts'
import type { Access } from '../plan/cluster-client.ts'
import { accessFor } from '../plan/permissions.ts'
import { objectSteps, type Plan } from '../plan/plan.ts'
import type { Signal } from '../plan/signal.ts'
import { ACCOUNT, ARGO, bareHub, CLUSTER, SET } from './bare-hub.ts'
import type { WritingCommand } from './commands.ts'
import type { Right } from './rights.ts'

type Model = keyof typeof MODEL_PARTS

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
 * What a command writes, and what taking it back deletes. For `bootstrap` and `agent enable` that are the permissions of the
 * plan engine (permissions.ts) over plans of every kind for a hub on which nothing is there yet; for other commands what they
 * declare. Names are chosen by the user, so no rule has one.
 */
export async function rightsToWrite(command: WritingCommand): Promise<readonly Right[]> {
  const rights = new Map<string, Right>()
  const add = (right: Right): unknown => rights.set(JSON.stringify(right), right)
  for (const plan of await plansOf(command)) for (const access of accessesOf(plan)) add(rightOf(access))
  if (command === 'agent') for (const right of (await import('./agent-rights.ts')).AGENT_RIGHTS) add(right)
  if (command === 'fix') for (const right of (await import('./fix-rights.ts')).fixRights()) add(right)
  return [HUB_IDENTITY, ...rights.values()]
}

/** Plans that together write all that the command may have to make on a bare hub. */
async function plansOf(command: WritingCommand): Promise<readonly Plan[]> {
  if (command === 'fix') return []
  const plans: Plan[] = []
  for (const [model, settings] of WAYS) {
    if (command === 'agent' && model !== 'agent') continue
    const request = {
      words: ['bootstrap', model],
      parts: new Set(MODEL_PARTS[model]),
      model,
      settings,
      accepted: new Set<string>(),
    }
    plans.push(await makeBootstrapPlan(request, await bareHub()))
  }
  return command === 'agent' ? [...plans, ...(await (await import('./agent-rights.ts')).enablePlans(COMMON))] : plans
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

/** Single objects that a run looks at while it waits. */
function awaitedOf(signal: Signal): readonly Access[] {
  const look = (kind: KindName, namespace: string): Access => {
    const { group, plural } = KINDS[kind]
    return { verb: 'get', group, resource: plural, subresource: '', namespace, name: '' }
  }
  switch (signal.signal) {
    case 'synced':
    case 'reported':
    case 'none-of':
      return [look('Application', signal.namespace)]
    case 'compliant':
      return [look('Policy', signal.namespace)]
    case 'addon':
      return [look('ManagedClusterAddOn', CLUSTER)]
    // Their decisions are listed, their objects are written by the same run.
    case 'decided':
    case 'undecided':
    case 'registered':
      return []
    default: {
      const { kind, namespace } = signal.subject
      const known = kindCalled(kind)
      return known === undefined ? [] : [look(known, namespace)]
    }
  }
}

/** The namespace of the Argo CD that is there, or of the second one that a plan makes. */
function isArgo(namespace: string): boolean {
  return namespace === ARGO || namespace === DEDICATED_NAMESPACE
}

function rightOf({ verb, group, resource, subresource, namespace }: Access): Right {
  const kind = kindOfResource(group === '' ? resource : `${resource}.${group}`)
  if (kind === undefined) throw new Error(`no kind of the chain: ${resource}.${group}`)
  return {
    kind,
    verb: verbOf(verb),
    ...(subresource === '' ? {} : { subresource }),
    names: [],
    where: isArgo(namespace) ? { scope: 'roles', roles: ['argo'] } : { scope: 'cluster' },
    checks: [],
  }
}

const VERBS: readonly Right['verb'][] = ['list', 'get', 'create', 'patch', 'delete']

function verbOf(verb: string): Right['verb'] {
  const known = VERBS.find(v => v === verb)
  if (known === undefined) throw new Error(`no verb of the plan engine: ${verb}`)
  return known
}
