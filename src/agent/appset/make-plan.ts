import type { PlanInput } from '../../bootstrap/make-plan.ts'
import { listed } from '../../bootstrap/names.ts'
import { UsageError } from '../../errors.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { type AppLink, applications } from '../../fleet/joins/applications.ts'
import { type AppSetLink, appSets } from '../../fleet/joins/appsets.ts'
import { AGENT_NAME, clusterSecrets, registrationKey } from '../../fleet/joins/registration.ts'
import { makeSteps, numbered, type Wait, type Want } from '../../plan/make-steps.ts'
import type { Plan, PlanNote } from '../../plan/plan.ts'
import { NO_PREVIEW, type PlanPreview } from '../../plan/preview.ts'
import { didYouMean } from '../../ui/nearest.ts'
import type { Target } from '../choices.ts'
import { agentPlanOf } from '../plan/envelope.ts'
import { convert } from './convert.ts'
import { lostGates, ownedGate, projectGate, registrationGates, worksGate } from './gates.ts'

export interface AppSetRequest {
  readonly namespace: string | undefined
  readonly name: string
  readonly target: Target
  readonly destinationName: string | undefined
  readonly spokeNamespace: string
  readonly acceptLost: readonly string[]
  readonly accepted: ReadonlySet<string>
}

/** @throws UsageError where there is none, or several */
function find(fleet: Fleet, { namespace, name }: AppSetRequest): AppSetLink {
  const all = fleet.join(appSets).all
  const found = all.filter(
    l => l.appSet.meta.name === name && (namespace === undefined || l.appSet.meta.namespace === namespace),
  )
  const [only, ...more] = found
  if (only !== undefined && more.length === 0) return only
  const names = all.map(l => l.appSet.meta.name).sort()
  throw new UsageError(
    only === undefined
      ? `there is no ApplicationSet "${namespace === undefined ? name : `${namespace}/${name}`}"${didYouMean(name, names, `; there are ${listed(names)}`)}`
      : `several ApplicationSets are called "${name}"; name one with its namespace`,
  )
}

const EFFECTS: Readonly<Record<Target, string>> = {
  agent: 'goes to the agent of its cluster, which takes over what is there if its tracking fits',
  push: 'is deployed by the controller of the hub',
  pull: 'goes to its cluster by ManifestWork',
}

function previewFor(target: Target, owned: readonly AppLink[]): PlanPreview {
  return {
    ...NO_PREVIEW,
    applications: {
      made: [],
      lost: owned
        .filter(l => l.model === 'agent' && target !== 'agent')
        .map(({ app, cluster, appSet }) => ({
          namespace: app.meta.namespace,
          name: app.meta.name,
          cluster,
          applicationSet: `${app.meta.namespace}/${appSet?.appSet.meta.name ?? ''}`,
          effect: 'its agent deletes it with the workload',
        })),
    },
  }
}

/** What becomes of each Application, as notes: nothing of that is in the ApplicationSet itself. */
function notesFor(fleet: Fleet, target: Target, owned: readonly AppLink[]): readonly PlanNote[] {
  const { byName } = fleet.join(clusterSecrets)
  const agentOnly = [...new Set(owned.map(l => registrationKey(l.argoNamespace, l.cluster)))]
    .filter(key => (byName.get(key) ?? []).every(s => AGENT_NAME in s.meta.labels))
    .map(key => key.slice(key.indexOf('/') + 1))
    .sort()
  const moved = owned.map(l => `${l.key} (${l.model}${l.cluster === '' ? '' : ` to ${l.cluster}`})`)
  return [
    { level: 'info', code: 'applications', text: `${listed(moved)} ${EFFECTS[target]}` },
    ...(target === 'push' && agentOnly.length > 0
      ? [
          {
            level: 'warning',
            code: 'no-push-secret',
            text: `the hub deploys to ${listed(agentOnly)} only when a GitOpsCluster for push registers them again: until then nothing does, and the Applications still look healthy`,
          } as const,
        ]
      : []),
    ...(target === 'agent'
      ? [
          {
            level: 'info',
            code: 'unwatched',
            text: 'between the change and the first report of the agent nobody reconciles them',
          } as const,
        ]
      : []),
  ]
}

function waits(target: Target, owned: readonly AppLink[]): readonly Wait[] {
  const [first] = owned
  // A hub Application that leaves its agent goes on to say Synced and Healthy, so that for the others nothing tells.
  if (first === undefined || target !== 'agent') return []
  const { namespace } = first.app.meta
  const names = owned.map(l => l.app.meta.name)
  return [
    {
      type: 'wait',
      section: 'Applications',
      signal: { signal: 'reported', namespace, applications: names },
      why: 'the agents have taken them over',
      limitSeconds: 600,
    },
  ]
}

/**
 * Plans to turn the template of an ApplicationSet into one for agents, or back.
 *
 * @throws UsageError where there is no such ApplicationSet, or its template cannot be turned
 */
export async function appSetPlan(request: AppSetRequest, input: PlanInput): Promise<Plan> {
  const { reader, loaded } = input
  const { fleet } = loaded
  const { target } = request
  const link = find(fleet, request)
  const { appSet, argoNamespace } = link
  const { namespace, name } = appSet.meta
  const seen = await reader.look(appSet.subject)
  if (seen.state !== 'present') throw new UsageError(`ApplicationSet ${namespace}/${name} could not be read`)
  const keys = new Set(link.owned.map(app => `${app.meta.namespace}/${app.meta.name}`))
  const owned = fleet.join(applications).all.filter(l => keys.has(l.key))
  const { manifest, removes } = convert(appSet, seen.object, target, request)
  const want: Want = {
    type: 'object',
    section: 'Applications',
    manifest,
    removes,
    shared: true,
    why: `its Applications go by ${target}`,
    risk: { level: 'high', text: 'every Application that it made changes at once' },
  }
  const turning = await makeSteps([want], reader, fleet)
  const isChanged = turning.some(step => step.type === 'object' && step.action !== 'unchanged')
  const waiting = isChanged ? await makeSteps(waits(target, owned), reader, fleet) : []
  const steps = numbered([...turning, ...waiting])
  const gates = [
    ...(target === 'agent' ? registrationGates(fleet, link, owned) : []),
    ...(target === 'agent' ? projectGate(fleet, link, owned) : []),
    ...(target === 'agent' ? worksGate(fleet, owned, request.accepted) : []),
    ...lostGates(target, owned, request, namespace),
    ...ownedGate(steps, request.accepted),
  ]
  return agentPlanOf(
    {
      title: 'agent appset',
      command: ['agent', 'appset', `${namespace}/${name}`, '--to', target],
      notes: isChanged ? notesFor(fleet, target, owned) : [],
      gates: isChanged ? gates : [],
      preview: isChanged ? previewFor(target, owned) : NO_PREVIEW,
      steps,
    },
    argoNamespace || namespace,
    input,
  )
}
