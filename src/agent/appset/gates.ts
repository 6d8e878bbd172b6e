import { listed } from '../../bootstrap/names.ts'
import { isHandedOut } from '../../checks/agent/project-excludes-agent.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { AppLink } from '../../fleet/joins/applications.ts'
import type { AppSetLink } from '../../fleet/joins/appsets.ts'
import { AGENT_NAME, clusterSecrets, registrationKey } from '../../fleet/joins/registration.ts'
import { works } from '../../fleet/joins/works.ts'
import { subjectText } from '../../fleet/subject.ts'
import { count } from '../../output/layout.ts'
import type { Gate, Step } from '../../plan/plan.ts'
import type { Target } from '../choices.ts'
import { namedGate } from '../gates.ts'
import type { AppSetRequest } from './make-plan.ts'

/** Clusters of its Applications that no agent is registered for, and those that push has a secret for. */
export function registrationGates(
  fleet: Fleet,
  { argoNamespace }: AppSetLink,
  owned: readonly AppLink[],
): readonly Gate[] {
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

export function projectGate(fleet: Fleet, { argoNamespace }: AppSetLink, owned: readonly AppLink[]): readonly Gate[] {
  const details = owned.flatMap(({ app, cluster, key }) => {
    const project = fleet.hub.of('AppProject').get(argoNamespace, app.project || 'default')
    return project === undefined || isHandedOut(fleet, project, cluster)
      ? []
      : [`${key}: AppProject ${project.meta.name} does not match ${cluster}`]
  })
  return details.length === 0
    ? []
    : [
        {
          code: 'project-excludes-agent',
          text: "the principal would keep project and Applications from the agents; add a destination with name '*', server '*', namespace '*', and for agents before 0.9 sourceNamespaces '*'",
          details,
          flag: '',
          accepted: false,
        },
      ]
}

/** ManifestWorks of pull Applications stay when the label goes, and fight with the agent over the Application there. */
export function worksGate(fleet: Fleet, owned: readonly AppLink[], codes: ReadonlySet<string>): readonly Gate[] {
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

export function lostGates(
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

export function ownedGate(steps: readonly Step[], codes: ReadonlySet<string>): readonly Gate[] {
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
