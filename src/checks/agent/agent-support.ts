import { type ClusterView, type Fleet, inputsOf } from '../../fleet/fleet.ts'
import { type Principal, principals } from '../../fleet/joins/agents.ts'
import { type AppLink, applications, SOURCE_UID } from '../../fleet/joins/applications.ts'
import { type Registrar, registration } from '../../fleet/joins/registration.ts'
import type { Base, Pod, Workload } from '../../fleet/records.ts'
import type { Inputs } from '../check.ts'

/** What the joins of agent checks read. */
export const AGENT_INPUTS: Inputs = inputsOf(principals, applications, registration)

/** GitOpsClusters that register agents in the namespace of a principal. */
export function agentRegistrars(fleet: Fleet, { argo }: Principal): readonly Registrar[] {
  return fleet.join(registration).all.filter(r => r.writes === 'agent' && r.argoNamespace === argo.meta.namespace)
}

/** Applications that the hub owns and an agent carries out. */
export function managedAgentApps(fleet: Fleet): readonly AppLink[] {
  return fleet.join(applications).all.filter(l => l.model === 'agent' && !(SOURCE_UID in l.app.meta.annotations))
}

/** Does an object belong to argocd-agent, and to this component of it? By the labels of operator and chart (agent-mode.md 1.5, 3.4). */
export function isPartOfAgent({ meta }: Base, component?: 'principal' | 'agent'): boolean {
  return (
    meta.labels['app.kubernetes.io/part-of'] === 'argocd-agent' &&
    (component === undefined || meta.labels['app.kubernetes.io/component'] === component)
  )
}

/** The Deployments of argocd-agent's agent on a spoke, by the operator's and the chart's labels (agent-mode.md 1.5, 3.4). */
export function agentDeployments(view: ClusterView): readonly Workload[] {
  return view.of('Deployment').all.filter(d => isPartOfAgent(d, 'agent'))
}

export function notAgentHub(fleet: Fleet): string | undefined {
  return fleet.join(principals).length > 0 ? undefined : 'no Argo CD on the hub is a principal'
}

/** The Deployment of a principal, by the operator's labels (agent-mode.md 1.3). */
export function principalDeployment(fleet: Fleet, { argo }: Principal): Workload | undefined {
  return fleet.hub
    .of('Deployment')
    .in(argo.meta.namespace)
    .find(d => isPartOfAgent(d, 'principal'))
}

/** Pods of a Deployment, by its name: a ReplicaSet, which would tell for sure, is not read. */
export function podsOf(view: ClusterView, { meta }: Workload): readonly Pod[] {
  return view
    .of('Pod')
    .in(meta.namespace)
    .filter(p => p.meta.name.startsWith(`${meta.name}-`))
}

/** What to do where a workload does not run and no container left a last message: its events say why. */
export function lookAtPod(
  { meta }: { readonly meta: Pick<Workload['meta'], 'namespace' | 'name'> },
  pods: readonly { readonly meta: Pick<Pod['meta'], 'name'> }[],
): string {
  const what = pods[0] === undefined ? `deployment ${meta.name}` : `pod ${pods[0].meta.name}`
  return `see why it does not run: oc -n ${meta.namespace} describe ${what}`
}

/** Set by the principal on what an autonomous agent sent; managed Applications never carry it (agent-mode.md 4.6). */
const LAST_UPDATED = 'argocd-agent.argoproj.io/last-updated'

/**
 * The latest sign of its agent on an Application, epoch milliseconds: what the spoke says of itself, what the principal wrote.
 * 0 where there is none.
 */
export function heardAt({ app }: AppLink): number {
  const told = Date.parse(app.meta.annotations[LAST_UPDATED] ?? '')
  return Math.max(app.reconciledAt ?? 0, app.agentWroteAt ?? 0, Number.isNaN(told) ? 0 : told)
}
