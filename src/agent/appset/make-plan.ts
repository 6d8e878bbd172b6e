import type { PlanInput } from '../../bootstrap/make-plan.ts'
import { listed } from '../../bootstrap/names.ts'
import { projectMatches } from '../../checks/agent/project-excludes-agent.ts'
import { UsageError } from '../../errors.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { type AppLink, applications } from '../../fleet/joins/applications.ts'
import { type AppSetLink, appSets } from '../../fleet/joins/appsets.ts'
import { AGENT_NAME, clusterSecrets, registrationKey } from '../../fleet/joins/registration.ts'
import { works } from '../../fleet/joins/works.ts'
import { subjectText } from '../../fleet/subject.ts'
import { count } from '../../output/layout.ts'
import { makeSteps, type Wait, type Want } from '../../plan/make-steps.ts'
import type { Gate, Plan, PlanNote, Step } from '../../plan/plan.ts'
import { NO_PREVIEW, type PlanPreview } from '../../plan/preview.ts'
import { didYouMean } from '../../ui/nearest.ts'
import type { Target } from '../choices.ts'
import { namedGate } from '../gates.ts'
import { agentPlanOf } from '../plan/envelope.ts'
import { convert } from './convert.ts'

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

/** Clusters of its Applications that no agent is registered for, and those that push has a secret for. */
function registrationGates(fleet: Fleet, { argoNamespace }: AppSetLink, owned: readonly AppLink[]): readonly Gate[] {
  const { byName } = fleet.join(clusterSecrets)
  const clusters = [...new Set(owned.map(l => l.cluster))].sort()
  const without: string[] = []
  const twice: string[] = []
  for (const cluster of clusters) {
    const secrets = byName.get(registrationKey(argoNamespace, cluster)) ?? []
    const agents = secrets.filter(s => AGENT_NAME in s.meta.labels)
    const others = secrets.filter(s => !(AGENT_NAME in s.meta.labels))
    if (agents.length === 0) without.push(`${cluster || 'a cluster that is not known'}: no agent is registered`)
    else if (others.length > 0)
      twice.push(`${cluster}: Secret ${listed(others.map(s => s.meta.name))} has its name, too`)
  }
  const gate = (code: string, text: string, details: readonly string[]): Gate[] =>
    details.length === 0 ? [] : [{ code, text, details, flag: '', accepted: false }]
  return [
    ...gate(
      'no-agent',
      'nobody would carry the Applications of these clusters; register them first ("agent add")',
      without,
    ),
    ...gate('name-twice', 'Argo CD refuses a destination that two Secrets have; delete the one of push first', twice),
  ]
}

function projectGate(fleet: Fleet, { argoNamespace }: AppSetLink, owned: readonly AppLink[]): readonly Gate[] {
  const details = owned.flatMap(({ app, cluster, key }) => {
    const project = fleet.hub.of('AppProject').get(argoNamespace, app.project || 'default')
    return project === undefined || projectMatches(project, cluster)
      ? []
      : [`${key}: AppProject ${project.meta.name} does not match ${cluster}`]
  })
  return details.length === 0
    ? []
    : [
        {
          code: 'project-excludes-agent',
          text: "the principal would keep project and Applications from the agents; add a destination with name '*', server '*', namespace '*'",
          details,
          flag: '',
          accepted: false,
        },
      ]
}

/** ManifestWorks of pull Applications stay when the label goes, and fight with the agent over the Application there. */
function worksGate(fleet: Fleet, owned: readonly AppLink[], codes: ReadonlySet<string>): readonly Gate[] {
  const keys = new Set(owned.filter(l => l.model === 'pull').map(l => l.key))
  const details = fleet.join(works).all.flatMap(w => (keys.has(w.appKey) ? [subjectText(w.work.subject)] : []))
  return details.length === 0
    ? []
    : [
        {
          code: 'manifestworks-stay',
          text: 'these ManifestWorks stay, and keep the old Application on the cluster: give each deleteOption.propagationPolicy Orphan, then delete it, before the agent delivers',
          details,
          flag: '--accept manifestworks-stay',
          accepted: codes.has('manifestworks-stay'),
        },
      ]
}

function lostGates(
  target: Target,
  owned: readonly AppLink[],
  { acceptLost }: AppSetRequest,
  home: string,
): readonly Gate[] {
  const lost = target === 'agent' ? [] : owned.filter(l => l.model === 'agent')
  if (lost.length === 0) return []
  return [
    namedGate(
      {
        code: 'deleted-by-agents',
        text: `agents delete ${count(lost.length, 'Application')} with the workload, within two seconds, as soon as the destination names a server; ${target} brings it again`,
        flag: '--accept-lost',
      },
      lost.map(l => ({ key: l.key, text: `${l.key} on ${l.cluster}` })),
      acceptLost,
      home,
    ),
  ]
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

function waits(target: Target, owned: readonly AppLink[], steps: readonly Step[]): readonly Wait[] {
  const isChanged = steps.some(step => step.type === 'object' && step.action !== 'unchanged')
  const [first] = owned
  // A hub Application that leaves its agent goes on to say Synced and Healthy, so that for the others nothing tells.
  if (!isChanged || first === undefined || target !== 'agent') return []
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
  const first = await makeSteps([want], reader)
  const steps = await makeSteps([want, ...waits(target, owned, first)], reader)
  const isChanged = steps.some(step => step.type === 'object' && step.action !== 'unchanged')
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

function ownedGate(steps: readonly Step[], codes: ReadonlySet<string>): readonly Gate[] {
  const owner = steps.flatMap(step => (step.type === 'object' && step.owner !== undefined ? [step.owner.text] : []))[0]
  return owner === undefined
    ? []
    : [
        {
          code: 'gitops-owned',
          text: `${owner} keeps the ApplicationSet and would undo the change; write a file for Git with --export DIR instead`,
          details: [],
          flag: '--accept gitops-owned',
          accepted: codes.has('gitops-owned'),
        },
      ]
}
