import { agentDeployments, podsOf } from '../../checks/agent/agent-support.ts'
import { count } from '../../checks/support.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { can } from '../../fleet/rbac.ts'
import { missing, type Subject, subject } from '../../fleet/subject.ts'
import type { Agent } from './agent.ts'
import { askSpoke } from './ask.ts'
import type { Parts } from './parts.ts'

export function addSpokeArgo(parts: Parts, { name, view, namespace, argocd }: Agent): void {
  const at = subject(name, 'ArgoCD', namespace, argocd)
  if (view === undefined) {
    unread(parts, 'spoke ArgoCD', at, name, askSpoke(name, namespace, `argocds.argoproj.io ${argocd}`))
    return
  }
  const argo = view.of('ArgoCD').get(namespace, argocd)
  if (argo?.agent === undefined) {
    const message = argo === undefined ? 'does not exist' : 'no agent is switched on in it'
    parts.add('spoke ArgoCD', argo === undefined ? missing(at) : at, { message, state: 'waiting' })
    return
  }
  const { mode, principalAddress, principalPort, destinationBasedMapping } = argo.agent
  parts.add('spoke ArgoCD', at, {
    message: `mode ${mode || 'managed'}, dials ${principalAddress}:${principalPort || '443'}, ${destinationBasedMapping ? 'destination' : 'namespace'}-based mapping`,
    since: condition(argo, 'Reconciled')?.since,
  })
}

export function addDeployment(parts: Parts, { name, view, namespace, argocd }: Agent): void {
  const deployment = view === undefined ? undefined : agentDeployments(view)[0]
  const at = deployment?.subject ?? subject(name, 'Deployment', namespace, `${argocd}-agent-agent`)
  if (view === undefined) {
    unread(parts, 'agent', at, name, askSpoke(name, namespace, `deployment ${at.name}`))
    return
  }
  if (deployment === undefined) {
    parts.add('agent', missing(at), { message: 'does not exist', state: 'waiting' })
    return
  }
  const pods = podsOf(view, deployment)
  const restarts = pods.flatMap(p => p.containers).reduce((sum, c) => sum + c.restarts, 0)
  const isUp = deployment.replicas > 0 && deployment.readyReplicas > 0
  parts.add('agent', at, {
    message: `${deployment.readyReplicas} of ${deployment.replicas} ready${restarts === 0 ? '' : `, restarted ${count(restarts, 'time')}`}`,
    since: Math.max(0, ...pods.map(p => p.started ?? 0)) || deployment.meta.created,
    ...(isUp ? {} : { state: 'waiting' }),
  })
}

/** The application controller of the spoke, which carries out what the agent brings. */
export function addController(parts: Parts, { name, view, namespace, argocd }: Agent): void {
  const at = subject(name, 'StatefulSet', namespace, `${argocd}-application-controller`)
  if (view === undefined) {
    unread(parts, 'spoke controller', at, name, askSpoke(name, namespace, `statefulset ${at.name}`))
    return
  }
  const found = view
    .of('StatefulSet')
    .in(namespace)
    .find(s => s.meta.name.endsWith('application-controller'))
  const account = subject(name, 'ServiceAccount', namespace, `${argocd}-argocd-application-controller`)
  const isUp = found !== undefined && found.readyReplicas > 0
  parts.add('spoke controller', found?.subject ?? missing(at), {
    message: found === undefined ? 'does not exist' : `${found.readyReplicas} of ${found.replicas} ready`,
    since: found?.meta.created,
    ...(isUp ? {} : { state: 'waiting' }),
    covers: [account],
  })
}

/** What the hub can show of live resources: the agent reads them with its own rights. */
export function addLiveView(parts: Parts, { name, view, namespace, argocd }: Agent): void {
  const deployment = view === undefined ? undefined : agentDeployments(view)[0]
  // The operator gives Deployment and ServiceAccount one name (agent-mode.md 1.5).
  const account = deployment?.meta.name ?? `${argocd}-agent-agent`
  const at = subject(name, 'ServiceAccount', namespace, account)
  if (view === undefined) {
    const ask = `oc --context ${name} auth can-i get configmaps -A --as system:serviceaccount:${namespace}:${account}`
    unread(parts, 'live view', at, name, ask)
    return
  }
  const access = { verb: 'get', group: '', resource: 'configmaps', namespace: '' }
  const answer = can(view, { namespace, name: account }, access)
  const said = {
    yes: 'the agent may read workloads',
    no: 'the agent may not read workloads',
    unknown: 'its rights could not be read',
  }
  parts.add('live view', at, {
    message: said[answer],
    ...(answer === 'yes' ? {} : { state: answer === 'no' ? 'waiting' : 'unknown' }),
  })
}

function unread(parts: Parts, part: string, at: Subject, cluster: string, ask: string): void {
  parts.add(part, at, { message: `cluster ${cluster} was not read`, state: 'unknown', ask })
}
