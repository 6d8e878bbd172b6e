import type { PlanInput } from '../bootstrap/make-plan.ts'
import { podsOf, principalDeployment } from '../checks/agent/agent-support.ts'
import { UsageError } from '../errors.ts'
import { principals } from '../fleet/joins/agents.ts'
import { PRINCIPAL_CERTIFICATES } from '../fleet/well-known.ts'
import { makeSteps, type Removal, type Wait } from '../plan/make-steps.ts'
import type { Plan } from '../plan/plan.ts'
import { agentRegistrar } from './clusters/registrar.ts'
import { agentPlanOf } from './plan/envelope.ts'

const SECTION = 'Certificates'

/** One reconcile of ACM takes minutes: each certificate step waits 30 s, and it comes every five (agent-mode.md 2.7). */
const REISSUE_SECONDS = 900

/**
 * Plans new certificates for the principal. It reads them at its start alone, so its restart is part of the plan; with
 * `reissue` false it is all of it.
 *
 * @throws UsageError where nobody would issue them anew
 */
export async function rotatePlan(
  { reissue, gitOpsCluster }: { readonly reissue: boolean; readonly gitOpsCluster: string | undefined },
  input: PlanInput,
): Promise<Plan> {
  const { fleet } = input.loaded
  const { argoNamespace: namespace } = agentRegistrar(fleet, gitOpsCluster)
  const principal = fleet.join(principals).find(p => p.argo.meta.namespace === namespace)
  const deployment = principal === undefined ? undefined : principalDeployment(fleet, principal)
  if (deployment === undefined) {
    throw new UsageError(
      `no Deployment of a principal was found in namespace ${namespace}; "agent plan" says what is missing`,
    )
  }
  const secrets = fleet.hub
    .of('Secret')
    .in(namespace)
    .filter(s => PRINCIPAL_CERTIFICATES.includes(s.meta.name))
  const reissued = (reissue ? secrets : []).flatMap((secret): (Removal | Wait)[] => [
    {
      type: 'delete',
      section: SECTION,
      subject: secret.subject,
      uid: secret.meta.uid,
      why: 'ACM issues it anew at its next look, from the CA that is there',
      reversible: { yes: false, text: 'the old certificate is gone; the new one is as good' },
    },
  ])
  const renewed = (reissue ? secrets : []).map(
    (secret): Wait => ({
      type: 'wait',
      section: SECTION,
      signal: { signal: 'renewed', subject: secret.subject, uid: secret.meta.uid },
      why: 'the principal must find it when it starts',
      limitSeconds: REISSUE_SECONDS,
    }),
  )
  const pods = podsOf(fleet.hub, deployment).flatMap((pod): (Removal | Wait)[] => [
    {
      type: 'delete',
      section: 'Restart',
      subject: pod.subject,
      uid: pod.meta.uid,
      why: 'the principal reads its certificates when it starts, and never again',
      risk: { level: 'low', text: 'agents connect again by themselves; the user interface is impaired meanwhile' },
      reversible: { yes: false, text: 'a new pod takes its place' },
    },
    {
      type: 'wait',
      section: 'Restart',
      signal: { signal: 'gone', subject: pod.subject },
      why: 'the old one serves the old certificate',
      limitSeconds: 300,
    },
  ])
  if (pods.length === 0) throw new UsageError(`no pod of Deployment ${namespace}/${deployment.meta.name} was seen`)
  const last: Wait = {
    type: 'wait',
    section: 'Restart',
    signal: { signal: 'rolled-out', subject: deployment.subject, mentions: '' },
    why: 'agents can connect again',
    limitSeconds: 600,
  }
  return agentPlanOf(
    {
      title: 'agent rotate-certs',
      command: ['agent', 'rotate-certs', ...(reissue ? [] : ['--no-reissue'])],
      steps: await makeSteps([...reissued, ...renewed, ...pods, last], input.reader, input.loaded.fleet),
    },
    namespace,
    input,
  )
}
