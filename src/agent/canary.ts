import { hubFacts } from '../bootstrap/hub.ts'
import type { PlanInput } from '../bootstrap/make-plan.ts'
import { UsageError } from '../errors.ts'
import { SOURCE_UID } from '../fleet/joins/applications.ts'
import { makeSteps, type Removal, type Want } from '../plan/make-steps.ts'
import type { Plan, PlanNote } from '../plan/plan.ts'
import { isObject, type RawObject, textAt, valueAt } from '../raw.ts'
import { agentPlanOf } from './plan/envelope.ts'
import { agentPlaces, checkAgentNames, type Place } from './status/place.ts'
import { modeOf } from './status/routed.ts'

/** Label of Applications that were made to try the way to an agent, and of nothing else. */
export const CANARY = 'fleetctl.io/canary'

export interface CanaryRequest {
  /** Agents to try; empty: all. */
  readonly spokes: readonly string[]
  /** What a canary is compared with; absent: what an Application of its agent comes from. */
  readonly source?: { readonly repoURL: string; readonly path: string; readonly targetRevision: string }
  /** Makes the names of this run its own. */
  readonly suffix: string
}

export interface CanaryPlan {
  readonly plan: Plan
  /** `namespace/name` of the canaries by their agent. */
  readonly canaries: ReadonlyMap<string, string>
}

/** Source and project of an Application that its agent carries already, as its object has them. */
async function borrowed({ routed }: Place, agent: string, { reader }: PlanInput): Promise<RawObject | undefined> {
  for (const { app } of routed.get(agent) ?? []) {
    if (app.meta.deleting !== undefined || CANARY in app.meta.labels || SOURCE_UID in app.meta.annotations) continue
    const seen = await reader.look(app.subject)
    const spec = seen.state === 'present' ? valueAt(seen.object, 'spec') : undefined
    if (!isObject(spec)) continue
    const { source, sources, project } = spec
    const namespace = textAt(spec, 'destination', 'namespace')
    const where = namespace === '' ? {} : { namespace }
    if (source !== undefined) return { source, project, where }
    if (sources !== undefined) return { sources, project, where }
  }
  return undefined
}

function modesOf({ registrars, routed }: Place, agent: string): 'managed' | 'autonomous' | '' {
  const modes = registrars.filter(r => r.decided?.clusters.has(agent) === true).map(r => r.goc.agentMode)
  return modeOf(routed.get(agent) ?? [], modes)
}

/** Canaries of a run that could not clear them away. */
function leftOver(place: Place): readonly Removal[] {
  return place.fleet.hub
    .of('Application')
    .in(place.namespace)
    .filter(app => CANARY in app.meta.labels && app.meta.deleting === undefined)
    .map(({ subject, meta }) => ({
      type: 'delete',
      section: 'Left over',
      subject,
      uid: meta.uid,
      why: 'a canary of an earlier run; it deploys nothing',
    }))
}

/**
 * Plans one canary for each managed agent: an Application that is compared and never synced, so that nothing is deployed, and
 * that has no finalizer, so that it goes at once.
 *
 * @throws UsageError where there is no managed agent, or nothing tells what a canary could be compared with
 */
export async function canaryPlan(request: CanaryRequest, input: PlanInput): Promise<CanaryPlan> {
  const { fleet } = input.loaded
  const places = agentPlaces(fleet)
  checkAgentNames(places, request.spokes)
  const version = hubFacts(fleet).version('Application')
  const wants: (Want | Removal)[] = []
  const notes: PlanNote[] = []
  const canaries = new Map<string, string>()
  for (const place of places) {
    wants.push(...leftOver(place))
    for (const agent of place.agents) {
      if (request.spokes.length > 0 && !request.spokes.includes(agent)) continue
      if (modesOf(place, agent) === 'autonomous') {
        const text = `agent ${agent} is autonomous: nothing goes to it from the hub, so it gets no canary`
        notes.push({ level: 'info', code: 'no-canary', text })
        continue
      }
      const own = request.source === undefined ? await borrowed(place, agent, input) : undefined
      if (request.source === undefined && own === undefined) {
        throw new UsageError(
          `no Application of agent ${agent} tells what a canary could be compared with; say it with --repo-url and --path`,
        )
      }
      const { where = {}, project = 'default', ...source } = own ?? { source: request.source }
      const name = `${`fleetctl-canary-${agent}`.slice(0, 56 - request.suffix.length)}-${request.suffix}`
      canaries.set(agent, `${place.namespace}/${name}`)
      wants.push({
        type: 'object',
        section: 'Canaries',
        manifest: {
          apiVersion: version,
          kind: 'Application',
          metadata: { name, namespace: place.namespace, labels: { [CANARY]: 'true' } },
          spec: { ...source, project, destination: { ...(isObject(where) ? where : {}), name: agent } },
        },
        why: `goes to agent ${agent} and is compared there; it is never synced, and goes when it was answered`,
      })
    }
  }
  const [first] = places
  if (first === undefined || canaries.size === 0) {
    throw new UsageError('there is no managed agent to send a canary to; "agent status" says what is there')
  }
  const steps = await makeSteps(wants, input.reader, fleet)
  const content = { title: 'agent verify', command: ['agent', 'verify', '--canary'], steps, notes }
  return { plan: agentPlanOf(content, first.namespace, input), canaries }
}
