import { commandOf } from '../../bootstrap/command.ts'
import { hubFacts } from '../../bootstrap/hub.ts'
import type { PlanInput } from '../../bootstrap/make-plan.ts'
import { managedAgentApps } from '../../checks/agent/agent-support.ts'
import { subject } from '../../fleet/subject.ts'
import { count } from '../../output/layout.ts'
import { makeSteps, type Removal, type Wait, type Want } from '../../plan/make-steps.ts'
import type { Gate, Plan, PlanNote } from '../../plan/plan.ts'
import { namedGate } from '../gates.ts'
import { principalName } from '../hub.ts'
import { agentPlanOf } from '../plan/envelope.ts'
import { isHeld, releasing } from '../plan/hold.ts'
import { agentRemains, RANKS, type RemainRank } from '../remains.ts'

interface BestEffortRequest {
  /** Namespace of the principal. */
  readonly namespace: string
  /** Delete what ACM leaves beside the principal, too: certificates, keys and the CA. */
  readonly leftovers: boolean
  readonly acceptLost: readonly string[]
  readonly accepted: ReadonlySet<string>
}

/** What nobody can know without the journal of the switch. */
const UNKNOWN: readonly string[] = [
  'whether the controller was on before: it is switched on, which is the default of the operator',
  'the sourceNamespaces of the ArgoCD resource before: they stay as they are',
  'the settings of the principal before: it is switched off and its fields stay',
  'the destinations of the AppProjects before: they stay as they are',
  'the variables of the operator before: they stay as they are',
  'which cluster secrets of push or pull were there before: their GitOpsCluster makes them again, once it is there',
]

const SECTIONS: Readonly<Record<RemainRank, string>> = {
  policy: 'Registration',
  addon: 'Agents',
  'per-cluster': 'Registration',
  template: 'Registration',
  instance: 'Principal',
}

const WHY: Readonly<Record<RemainRank, string>> = {
  policy: 'ACM made it of the GitOpsCluster; the Argo CD on the clusters stays until the add-on goes',
  addon: 'its job on the cluster removes Argo CD and the operator there',
  'per-cluster': 'ACM made it for the agent, and nobody else removes it',
  template: 'ACM made it of the GitOpsCluster',
  instance: 'ACM made it for the principal, and nobody else removes it',
}

function removals(
  fleet: PlanInput['loaded']['fleet'],
  { namespace, leftovers }: BestEffortRequest,
): (Removal | Wait)[] {
  const remains = agentRemains(fleet, namespace)
  return RANKS.filter(rank => leftovers || rank !== 'instance').flatMap(rank =>
    remains
      .filter(r => r.rank === rank)
      .flatMap((r): (Removal | Wait)[] => [
        { type: 'delete', section: SECTIONS[rank], subject: r.subject, uid: r.uid, why: WHY[rank] },
        ...(rank === 'addon'
          ? [
              {
                type: 'wait' as const,
                section: SECTIONS[rank],
                signal: { signal: 'deleted' as const, subject: r.subject },
                why: 'the cluster cleans up first',
                limitSeconds: 900,
              },
            ]
          : []),
      ]),
  )
}

/** Agents go before the certificates of the principal, and these after the principal itself. */
function ordered(all: readonly (Removal | Wait)[], principal: readonly (Want | Wait)[]): (Removal | Wait | Want)[] {
  const last = all.filter(r => r.section === SECTIONS.instance)
  return [...all.filter(r => r.section !== SECTIONS.instance), ...principal, ...last]
}

/**
 * The way back of a hub without a journal, from what is there: the agents and the principal go, and what was before is
 * named as unknown.
 */
export async function bestEffortPlan(request: BestEffortRequest, input: PlanInput): Promise<Plan> {
  const { loaded, reader } = input
  const { fleet } = loaded
  const { namespace, acceptLost } = request
  const facts = hubFacts(fleet)
  const argo = fleet.hub
    .of('ArgoCD')
    .in(namespace)
    .find(a => a.principal?.enabled === true)
  const gocs = fleet.hub
    .of('GitOpsCluster')
    .all.filter(g => g.agentEnabled && (g.argoNamespace || g.meta.namespace) === namespace)
  const registrations = gocs.map(
    (goc): Removal => ({
      type: 'delete',
      section: 'Registration',
      subject: goc.subject,
      uid: goc.meta.uid,
      why: 'its controller stops, so that what it made can go',
    }),
  )
  const off: (Want | Wait)[] =
    argo === undefined
      ? []
      : [
          {
            type: 'object',
            section: 'Principal',
            manifest: {
              apiVersion: facts.version('ArgoCD'),
              kind: 'ArgoCD',
              metadata: { name: argo.meta.name, namespace },
              spec: { controller: { enabled: true }, argoCDAgent: { principal: { enabled: false } } },
            },
            shared: true,
            force: true,
            why: 'the operator removes the principal, and the controller deploys again',
            risk: { level: 'high', text: 'server, repo-server and controller restart' },
          },
          {
            type: 'wait',
            section: 'Principal',
            signal: { signal: 'gone', subject: subject('hub', 'Deployment', namespace, principalName(argo.meta.name)) },
            why: 'the operator has taken the change',
            limitSeconds: 300,
          },
          {
            type: 'wait',
            section: 'Principal',
            signal: {
              signal: 'exists',
              subject: subject('hub', 'StatefulSet', namespace, `${argo.meta.name}-application-controller`),
            },
            why: 'push Applications are reconciled again',
            limitSeconds: 300,
          },
        ]
  const releases: Want[] = []
  for (const appSet of fleet.hub.of('ApplicationSet').all.filter(isHeld)) {
    const seen = await reader.look(appSet.subject)
    if (seen.state === 'present') releases.push(releasing(seen.object))
  }
  const all = [...registrations, ...ordered(removals(fleet, request), off), ...releases]
  const steps = await makeSteps(all, reader, fleet)
  const abandoned = managedAgentApps(fleet).filter(
    l => l.argoNamespace === namespace && l.app.meta.deleting === undefined,
  )
  const gates: Gate[] =
    abandoned.length === 0
      ? []
      : [
          namedGate(
            {
              code: 'agents-in-use',
              text: `agents carry ${count(abandoned.length, 'Application')}, and nobody would any more; give them back to push first ("agent appset NAME --to push"), or name exactly these`,
              flag: '--accept-lost',
            },
            abandoned.map(l => ({ key: l.key, text: `${l.key} on ${l.cluster}` })),
            acceptLost,
            namespace,
          ),
        ]
  return agentPlanOf(
    {
      title: 'agent revert',
      command: commandOf(['agent', 'revert'], { namespace }),
      notes: steps.length === 0 ? [] : UNKNOWN.map((text): PlanNote => ({ level: 'warning', code: 'not-known', text })),
      gates,
      steps,
    },
    namespace,
    input,
  )
}
