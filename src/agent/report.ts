import { API_VERSION } from '../checks/report.ts'
import type { LoadedFleet } from '../fleet/load.ts'
import { openGates, type Plan, type PlanNote, type Step, writes } from '../plan/plan.ts'
import type { FleetSource } from '../source/source.ts'
import { sourceInfo } from '../source-info.ts'
import { VERSION } from '../version.ts'
import type { AgentPlan, AgentStep, PhaseKey } from './agent-plan.ts'
import { frozenGate } from './gates.ts'
import type { Switch } from './make-agent-plan.ts'
import { PASSING, type Phase, phaseOf, phases } from './plan/phases.ts'
import { DEDICATED_ARGO } from './plan/principal.ts'
import { recommend, verdictsOn } from './recommend.ts'
import { UPSTREAM_STEPS } from './upstream.ts'

function objectsOf(steps: readonly Step[]): AgentStep['objects'] {
  return steps.flatMap(step =>
    step.type === 'object'
      ? [{ subject: step.subject, action: step.action, fields: step.changes.map(change => change.path) }]
      : [],
  )
}

function stateOf(key: PhaseKey, steps: readonly Step[], plan: Plan, made: Switch): AgentStep['state'] {
  if (key === 'operator') return made.byHand.length > 0 ? 'by-hand' : steps.length === 0 ? 'unchanged' : 'planned'
  // An Argo CD without an ArgoCD resource is not made a new one beside it.
  if (key === 'principal' && made.hub.setup !== 'dedicated' && made.hub.argo === undefined) return 'open'
  const objects = steps.filter(step => step.type === 'object')
  if (objects.some(step => step.action !== 'unchanged')) return 'planned'
  if (objects.length > 0) return 'unchanged'
  // Applications are chosen for themselves; everything else that is not in a plan with clusters is there already.
  if (key === 'applications' || made.hub.clusters.length === 0) return 'open'
  return steps.length > 0 && writes(plan).length > 0 ? 'planned' : 'unchanged'
}

function stepOf(phase: Phase, number: number, plan: Plan, made: Switch): AgentStep {
  const { key, title, effect, revert } = phase
  const steps = plan.steps.filter(step => phaseOf(step.section) === key)
  const waits = steps.flatMap(step => (step.type === 'wait' ? [step.text.replace(/^until /, '')] : []))
  const state = stateOf(key, steps, plan, made)
  const signals = waits.length > 0 ? waits : phase.signals
  return {
    number,
    key,
    title: state === 'by-hand' ? made.byHand.join('; ') : title,
    state,
    objects: state === 'open' ? [] : objectsOf(steps),
    effect,
    signals,
    revert,
  }
}

function notesFor({ plan, hub }: Switch): readonly PlanNote[] {
  const open: PlanNote[] =
    hub.clusters.length > 0 || plan === undefined
      ? []
      : [
          {
            level: 'info',
            code: 'no-clusters',
            text: 'no clusters are chosen: --placement, or --set and --clusters, complete the plan from the registration on',
          },
        ]
  return [...(plan?.notes ?? []), ...open]
}

/** What is in the way of `agent enable`. */
function blockersOf({ plan, hub, frozen }: Switch, acceptedFrozen: readonly string[]): readonly string[] {
  if (plan === undefined) {
    const gate = frozenGate(frozen, acceptedFrozen, hub.argoNamespace)
    return [
      'upstream is set up by hand',
      ...(gate === undefined || gate.accepted ? [] : [`${gate.code}: ${gate.text}`]),
    ]
  }
  return openGates(plan).flatMap(gate => [
    ...(gate.code === 'preconditions' ? gate.details : [`${gate.code}: ${gate.text}`]),
  ])
}

/** The document of `agent plan`. */
export function agentPlan(
  made: Switch,
  source: FleetSource,
  loaded: LoadedFleet,
  acceptedFrozen: readonly string[],
): AgentPlan {
  const { hub, plan, preconditions, frozen, wouldFreeze } = made
  const { argo, facts, setup } = hub
  const own = phases({
    argo: setup === 'dedicated' ? DEDICATED_ARGO : (argo?.meta.name ?? hub.argoNamespace),
    controllerStays: setup === 'hybrid',
    dedicated: setup === 'dedicated',
  })
  return {
    apiVersion: API_VERSION,
    kind: 'AgentPlan',
    version: VERSION,
    source: sourceInfo(source, loaded),
    setup,
    recommended: recommend(hub, wouldFreeze),
    setups: verdictsOn(hub, wouldFreeze),
    hub: {
      flavour: facts.flavour,
      argoNamespace: hub.argoNamespace,
      argocd: argo?.meta.name ?? '',
      operatorVersion: facts.operator.version,
      controllerEnabled: argo?.controllerEnabled ?? true,
      principalEnabled: argo?.principal?.enabled === true,
    },
    clusters: hub.clusters,
    preconditions,
    frozen,
    blockers: blockersOf(made, acceptedFrozen),
    notes: notesFor(made),
    steps:
      plan === undefined
        ? UPSTREAM_STEPS
        : own
            .filter(({ key }) => !PASSING.has(key) || plan.steps.some(step => phaseOf(step.section) === key))
            .map((phase, i) => stepOf(phase, i + 1, plan, made)),
  }
}
