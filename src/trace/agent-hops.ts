import { agentDeployments, principalDeployment } from '../checks/agent/agent-support.ts'
import { versionOf } from '../checks/agent/agent-version-skew.ts'
import { isHandedOut } from '../checks/agent/project-excludes-agent.ts'
import { conditionText } from '../checks/support.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { principals } from '../fleet/joins/agents.ts'
import { SOURCE_UID } from '../fleet/joins/applications.ts'
import { condition } from '../fleet/joins/clusters.ts'
import { registrarsOf } from '../fleet/joins/way-stops.ts'
import type { Way } from '../fleet/joins/ways.ts'
import type { Workload } from '../fleet/records.ts'
import { subject } from '../fleet/subject.ts'
import { GITOPS_ADDON } from '../fleet/well-known.ts'
import { addSpokeApplication, appText } from './application-hops.ts'
import type { HopBuilder } from './hop-builder.ts'

/** Ready replicas and version, and since when it is available; its pods are not read for every trace. */
function running(deployment: Workload) {
  const version = versionOf(deployment.images[0])
  return {
    message: `${deployment.readyReplicas} of ${deployment.replicas} ready${version === undefined ? '' : `, version ${version}`}`,
    since: condition(deployment, 'Available')?.since ?? deployment.meta.created,
  }
}

/** The AppProject must go to the agent too; of an autonomous agent it comes from there (agent-mode.md 4.1, 4.2). */
function addProject(b: HopBuilder, fleet: Fleet, way: Way, application: number): void {
  const app = way.link?.app
  if (app === undefined) return
  const project = fleet.hub.of('AppProject').get(way.argoNamespace, app.project)
  if (project === undefined) return
  const isMirror = SOURCE_UID in app.meta.annotations
  const matches = isHandedOut(fleet, project, way.cluster) ? 'matches' : 'does not match'
  b.add(project.subject, application, 'configures', {
    message: isMirror ? 'sent by the agent' : `${matches} agent ${way.cluster}`,
    since: project.meta.created,
    state: 'ok',
  })
}

/** The ArgoCD that switches the principal on, and the Deployment that it runs as. */
function addPrincipal(b: HopBuilder, fleet: Fleet, way: Way, application: number): number {
  const principal = fleet.join(principals).find(p => p.argo.meta.namespace === way.argoNamespace)
  if (principal === undefined) return application
  const { argo, settings } = principal
  const mapping = settings.destinationBasedMapping ? 'destination' : 'namespace'
  const at = b.add(argo.subject, application, 'delivers', {
    message: `principal, ${mapping}-based mapping`,
    since: condition(argo, 'Reconciled')?.since,
  })
  const deployment = principalDeployment(fleet, principal)
  if (deployment !== undefined) b.add(deployment.subject, at, 'configures', running(deployment))
  return at
}

/** The add-on, and the policy, that keep the agent up on the spoke; neither tells whether it is connected. */
function addAddon(b: HopBuilder, fleet: Fleet, way: Way, parent: number): number {
  const addon = fleet.hub.of('ManagedClusterAddOn').get(way.cluster, GITOPS_ADDON)
  if (addon === undefined) return parent
  const available = condition(addon, 'Available')
  const is =
    available?.status === 'True' ? 'Available' : available === undefined ? 'no conditions' : conditionText(available)
  const at = b.add(addon.subject, parent, 'configures', { message: is, since: available?.since })
  for (const { goc, writes } of registrarsOf(fleet, way.argoNamespace, way.cluster)) {
    const policy = fleet.hub.of('Policy').get(goc.meta.namespace, `${goc.meta.name}-argocd-policy`)
    if (writes !== 'agent' || policy === undefined) continue
    const verdict = policy.clusterStatus.find(s => s.cluster === way.cluster)?.compliant
    b.add(policy.subject, at, 'configures', {
      message: `${verdict || 'no verdict'} on ${way.cluster}`,
      since: policy.meta.created,
    })
  }
  return at
}

/** How an Application of an agent goes to it and comes back, as far as objects tell (agent-mode.md 4). */
export function addAgent(b: HopBuilder, fleet: Fleet, way: Way, application: number): void {
  addProject(b, fleet, way, application)
  const principal = addPrincipal(b, fleet, way, application)
  const view = fleet.spokes.get(way.cluster)
  const addon = addAddon(b, fleet, way, principal)
  const agent = view === undefined ? undefined : agentDeployments(view)[0]
  const parent =
    view === undefined || agent === undefined ? principal : b.add(agent.subject, addon, 'delivers', running(agent))
  const there = view?.of('Application').all.find(a => a.meta.name === way.subject.name)
  const namespace = there?.meta.namespace ?? way.subject.namespace
  if (view === undefined && way.link !== undefined) {
    // The hub's copy is whole in agent mode, so an unread spoke leaves the trace complete as far as the hub can tell.
    b.add(subject(way.cluster, 'Application', namespace, way.subject.name), parent, 'delivers', {
      message: appText(way.link.app),
      state: 'ok',
      since: way.link.app.reconciledAt,
      source: "hub's copy",
    })
    return
  }
  addSpokeApplication(b, fleet, way, parent, namespace, way.subject.name, undefined)
}
