import { asksForNamespaces, namespacesMatch, projectMatches } from '../../checks/agent/project-excludes-agent.ts'
import { principals } from '../../fleet/joins/agents.ts'
import { isArgoServer } from '../../fleet/labels.ts'
import type { ArgoCD } from '../../fleet/records.ts'
import type { Want } from '../../plan/make-steps.ts'
import { projectForAgents } from '../../plan/manifests/app-project.ts'
import { argoCdPrincipal } from '../../plan/manifests/argocd.ts'
import type { Blueprint } from '../blueprint.ts'
import { clusterConfigPart } from './cluster-config.ts'

const SECTION = 'Principal'

/** The ArgoCD resource of the namespace; undefined where Argo CD was not installed by its operator. */
export function argoCdOf({ fleet, argoNamespace }: Blueprint): ArgoCD | undefined {
  return fleet.hub.of('ArgoCD').in(argoNamespace)[0]
}

/** Name that the operator would use: its server's Service is called `<name>-server`. */
function instanceName({ fleet, argoNamespace }: Blueprint): string {
  const service = fleet.hub
    .of('Service')
    .in(argoNamespace)
    .find(s => isArgoServer(s.meta.labels))
  return service?.meta.name.replace(/-server$/, '') ?? argoNamespace
}

/** Does the hub's own application controller go on? Unless a set-up is chosen, a principal keeps what it has. */
export function keepsController(blueprint: Blueprint): boolean {
  const { setup } = blueprint.settings
  const existing = argoCdOf(blueprint)
  if (setup === undefined && existing?.principal?.enabled === true) return existing.controllerEnabled
  return setup === 'hybrid'
}

function allowedNamespaces(existing: ArgoCD | undefined, namespace: string): readonly string[] {
  const allowed = existing?.principal?.allowedNamespaces ?? []
  if (allowed.includes('*') || allowed.includes(namespace)) return allowed
  return [...allowed, namespace]
}

/** Principals to come may be of any version: what all of them ask for is right for each (agent-mode.md 6.1). */
function asksNamespaces({ fleet, argoNamespace }: Blueprint): boolean {
  const principal = fleet.join(principals).find(p => p.argo.meta.namespace === argoNamespace)
  return principal === undefined || asksForNamespaces(fleet, principal)
}

/** The project has to match every agent, or the principal does not hand it out and the Applications are refused there. */
function projectPart(blueprint: Blueprint, clusters: readonly string[]): readonly Want[] {
  const { fleet, hub, argoNamespace, settings } = blueprint
  const name = settings.project ?? 'default'
  const project = fleet.hub.of('AppProject').get(argoNamespace, name)
  if (project === undefined) return []
  const isNamed = clusters.every(cluster => projectMatches(project, cluster))
  const isOpen = !asksNamespaces(blueprint) || clusters.every(cluster => namespacesMatch(project, cluster))
  if (isNamed && isOpen) return []
  const destinations = project.destinations.map(d => ({
    ...(d.name === '' ? {} : { name: d.name }),
    ...(d.server === '' ? {} : { server: d.server }),
    namespace: d.namespace,
  }))
  const opens = isOpen ? '' : ', and be in any namespace that Argo CD watches'
  return [
    {
      type: 'object',
      section: SECTION,
      manifest: projectForAgents(hub.version, {
        namespace: argoNamespace,
        name,
        destinations: isNamed ? undefined : destinations,
        sourceNamespaces: isOpen ? undefined : [...project.sourceNamespaces, '*'],
      }),
      shared: true,
      why: isNamed
        ? `agents before 0.9 get project ${name} only when its sourceNamespaces match them, too`
        : `the principal hands project ${name} only to agents that it matches`,
      risk: { level: 'low', text: `Applications of project ${name} may then target any agent${opens}` },
    },
  ]
}

/** Turns the hub's Argo CD into a principal for the agents, without touching its other fields. */
export function principalPart(blueprint: Blueprint, clusters: readonly string[]): readonly Want[] {
  const { hub, argoNamespace } = blueprint
  const existing = argoCdOf(blueprint)
  const controllerEnabled = keepsController(blueprint)
  return [
    ...clusterConfigPart(blueprint),
    ...projectPart(blueprint, clusters),
    {
      type: 'object',
      section: SECTION,
      manifest: argoCdPrincipal(hub.version, {
        namespace: argoNamespace,
        name: existing?.meta.name ?? instanceName(blueprint),
        controllerEnabled,
        applicationNamespaces: allowedNamespaces(existing, argoNamespace),
      }),
      shared: true,
      why: controllerEnabled
        ? 'makes the instance a principal for agents; it goes on deploying itself'
        : 'makes the instance a principal for agents; it deploys nothing itself any more',
      risk: {
        level: 'high',
        text: controllerEnabled
          ? 'server, repo-server and controller restart; their Redis goes through the principal from then on'
          : 'every Application that this instance deploys itself freezes, and goes on to look healthy',
      },
    },
  ]
}
