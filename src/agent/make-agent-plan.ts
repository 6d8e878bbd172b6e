import { type Blueprint, argoNamespace as chooseArgoNamespace, makeBlueprint } from '../bootstrap/blueprint.ts'
import { commandOf } from '../bootstrap/command.ts'
import { hubFacts, operatorSubscription } from '../bootstrap/hub.ts'
import { arrangePlan, type PlanInput } from '../bootstrap/make-plan.ts'
import { notesOf } from '../bootstrap/notes.ts'
import type { Part } from '../bootstrap/part-names.ts'
import { refuse } from '../bootstrap/refuse.ts'
import type { Settings } from '../bootstrap/settings.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { subject } from '../fleet/subject.ts'
import { ADDON_ARGOCD } from '../fleet/well-known.ts'
import { gitOpsOwner } from '../plan/owner.ts'
import { type Plan, writes } from '../plan/plan.ts'
import { isObject, type RawObject, textAt, valueAt } from '../raw.ts'
import type { SetUp } from './choices.ts'
import { type FrozenApplication, frozenWithout } from './frozen.ts'
import { type AgentAccepted, agentGates } from './gates.ts'
import type { AgentHub } from './hub.ts'
import { agentWants } from './plan/arrange.ts'
import { AGENT_LEASE } from './plan/envelope.ts'
import { operatorPart } from './plan/operator.ts'
import type { Precondition } from './preconditions/precondition.ts'
import { preconditionsOf } from './preconditions.ts'
import { agentRemains, principalSecrets } from './remains.ts'
import { completed, partsFor, setUpOf } from './what-is-asked.ts'

/** Namespace of a second Argo CD, unless the user names another. */
export const DEDICATED_NAMESPACE = 'argocd-agent-hub'

export interface AgentRequest {
  /** Words of the command, e.g. `agent enable`. */
  readonly words: readonly string[]
  /** Absent: what the hub is already, else the documented one. */
  readonly setup: SetUp | undefined
  readonly settings: Settings
  /** Namespace of a second Argo CD. */
  readonly agentNamespace: string | undefined
  /** Arguments that make the same plan again, where the words and settings do not tell. */
  readonly command?: readonly string[]
  /** Parts that are left as they are. */
  readonly without?: readonly Part[]
  readonly accepted: AgentAccepted
}

/** The hub, judged for a switch. */
export interface Switch {
  readonly hub: AgentHub
  readonly preconditions: readonly Precondition[]
  readonly frozen: readonly FrozenApplication[]
  /** What the documented set-up would freeze, whatever set-up was chosen. */
  readonly wouldFreeze: readonly FrozenApplication[]
  /** The writing half; undefined for upstream, which fleetctl does not write. */
  readonly plan: Plan | undefined
  /** What a person has to do beside the plan. */
  readonly byHand: readonly string[]
}

/** Does a Policy bind roles to both accounts of the spokes' Argo CD? People put that into the Policy of the GitOpsCluster. */
function givesRights(policy: RawObject | undefined): boolean {
  const templates = valueAt(policy, 'spec', 'policy-templates')
  const objects = (Array.isArray(templates) ? templates : []).flatMap(template => {
    const list = valueAt(template, 'objectDefinition', 'spec', 'object-templates')
    return Array.isArray(list) ? list.map(t => valueAt(t, 'objectDefinition')) : []
  })
  const accounts = objects
    .filter(o => textAt(o, 'kind').endsWith('RoleBinding'))
    .flatMap(o => {
      const subjects = valueAt(o, 'subjects')
      return (Array.isArray(subjects) ? subjects : []).filter(isObject).map(s => textAt(s, 'name'))
    })
  return [`${ADDON_ARGOCD}-argocd-application-controller`, `${ADDON_ARGOCD}-agent-agent`].every(name =>
    accounts.includes(name),
  )
}

/** Policies that are bound to the Placement of the agents. */
function policiesOn(fleet: Fleet, { argoNamespace, placement }: Blueprint): readonly string[] {
  return fleet.hub
    .of('PlacementBinding')
    .in(argoNamespace)
    .filter(b => b.placementKind === 'Placement' && b.placementName === placement.name)
    .flatMap(b => b.boundTo.filter(to => to.kind === 'Policy').map(to => to.name))
}

async function look(input: PlanInput, kind: 'ArgoCD' | 'Subscription' | 'Policy', namespace: string, name: string) {
  if (name === '') return undefined
  const seen = await input.reader.look(subject('hub', kind, namespace, name))
  return seen.state === 'present' ? seen.object : undefined
}

/** What the request means on this hub. @throws UsageError where it cannot be met */
function blueprintFor(fleet: Fleet, setup: SetUp, home: string, request: AgentRequest): Blueprint {
  const where = setup === 'dedicated' ? (request.agentNamespace ?? DEDICATED_NAMESPACE) : home
  const settings: Settings = {
    ...completed(fleet, where, request.settings),
    ...(setup === 'dedicated' ? {} : { namespace: home }),
    setup: setup === 'hybrid' ? 'hybrid' : 'documented',
  }
  return makeBlueprint(
    fleet,
    settings,
    new Set([...partsFor(settings)].filter(part => request.without?.includes(part) !== true)),
    'agent',
    setup === 'dedicated' ? { newArgoNamespace: where } : {},
  )
}

function argumentsOf(request: AgentRequest, setup: SetUp): readonly string[] {
  if (request.command !== undefined) return request.command
  const { frozen, lost, codes } = request.accepted
  return [
    ...commandOf([...request.words, '--setup', setup], request.settings),
    ...(request.agentNamespace === undefined ? [] : ['--agent-namespace', request.agentNamespace]),
    ...(frozen.length === 0 ? [] : ['--accept-frozen', frozen.join(',')]),
    ...(lost.length === 0 ? [] : ['--accept-lost', lost.join(',')]),
    ...(codes.size === 0 ? [] : ['--accept', [...codes].sort().join(',')]),
  ]
}

/** A plan without a write has nothing to wait for; the others exclude each other, and know what was there before. */
async function finished(plan: Plan, { loaded, reader }: PlanInput, namespace: string): Promise<Plan> {
  const { fleet } = loaded
  if (writes(plan).length === 0) return { ...plan, steps: plan.steps.filter(step => step.type === 'object') }
  const isNew = fleet.hub.of('Namespace').get('', namespace) === undefined
  return {
    ...plan,
    // A namespace that the plan itself makes is no place for it.
    exclusive: { namespace: isNew ? 'default' : namespace, name: AGENT_LEASE },
    foreign: [...agentRemains(fleet, namespace), ...(await principalSecrets(reader, namespace))].map(r => r.subject),
  }
}

/**
 * Judges a hub for a switch to agents and works out the plan.
 *
 * @throws UsageError where the request cannot be met on this hub
 */
export async function makeSwitch(request: AgentRequest, input: PlanInput): Promise<Switch> {
  const { fleet } = input.loaded
  const facts = hubFacts(fleet)
  const home = chooseArgoNamespace(facts, request.settings.namespace)
  const setup = setUpOf(fleet, home, request.setup)
  const argo = fleet.hub.of('ArgoCD').in(home)[0]
  const rawArgo = await look(input, 'ArgoCD', home, argo?.meta.name ?? '')
  const subscription = operatorSubscription(fleet)
  const rawSubscription = await look(
    input,
    'Subscription',
    subscription?.meta.namespace ?? '',
    subscription?.meta.name ?? '',
  )
  const owners = [rawArgo, rawSubscription].flatMap(object => {
    const owner = object === undefined ? undefined : gitOpsOwner(object)
    return owner === undefined ? [] : [`${textAt(object, 'kind')} is kept by ${owner.text}`]
  })
  const controllerEnabled = argo?.controllerEnabled ?? true
  const wouldFreeze = frozenWithout(fleet, home, controllerEnabled)
  const frozen = setup === 'documented' ? wouldFreeze : []
  const agentNamespace = setup === 'dedicated' ? (request.agentNamespace ?? DEDICATED_NAMESPACE) : home
  const base = { fleet, facts, setup, argoNamespace: home, agentNamespace, argo, rawArgo, owners }
  const judge = (clusters: readonly string[], placement: string) => {
    const hub: AgentHub = { ...base, clusters, placement }
    return { hub, preconditions: preconditionsOf(hub) }
  }
  if (setup === 'upstream') {
    return { ...judge([], ''), frozen, wouldFreeze, plan: undefined, byHand: [] }
  }
  const blueprint = blueprintFor(fleet, setup, home, request)
  const operator = operatorPart(fleet, facts.version, blueprint.argoNamespace)
  const goc = blueprint.gitOpsCluster
  const policies = [`${goc.name}-argocd-policy`, ...policiesOn(fleet, blueprint)]
  const seen = await Promise.all(policies.map(name => look(input, 'Policy', blueprint.argoNamespace, name)))
  const arrangement = {
    blueprint,
    setup,
    argo: argo?.meta.name ?? home,
    operator,
    hasRights: seen.some(givesRights) || request.without?.includes('rbac') === true,
  }
  const wants = agentWants(arrangement)
  let judged: ReturnType<typeof judge> | undefined
  const { plan } = await arrangePlan(
    {
      blueprint,
      first: wants.first,
      rest: clusters => {
        judged = judge(clusters, blueprint.placement.name)
        return wants.rest(clusters)
      },
      last: wants.last,
      refuse,
      gates: all => agentGates(all, frozen, judged?.preconditions ?? [], operator.byHand, request.accepted),
      notes: notesOf,
    },
    {
      words: request.words,
      parts: blueprint.parts,
      accepted: request.accepted.codes,
      command: argumentsOf(request, setup),
    },
    input,
  )
  const { hub, preconditions } = judged ?? judge([], '')
  const byHand = operator.byHand === '' ? [] : [operator.byHand]
  return { hub, preconditions, frozen, wouldFreeze, plan: await finished(plan, input, hub.agentNamespace), byHand }
}
