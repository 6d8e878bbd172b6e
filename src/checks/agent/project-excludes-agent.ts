import { type Fleet, inputsOf } from '../../fleet/fleet.ts'
import { type Principal, principals } from '../../fleet/joins/agents.ts'
import type { AppLink } from '../../fleet/joins/applications.ts'
import { globMatches } from '../../fleet/joins/spoke-argo.ts'
import { groupBy } from '../../fleet/maps.ts'
import type { AppProject, Workload } from '../../fleet/records.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, managedAgentApps, notAgentHub, principalDeployment } from './agent-support.ts'
import { versionOf } from './agent-version-skew.ts'

/**
 * Does a project go to an agent? An entry counts if its name matches the agent, or if it has none and its server is `*` or
 * holds `?agentName=` for it; an entry `!name` denies (argocd-agent internal/manager/appproject DoesAgentMatchWithProject).
 */
export function projectMatches(project: AppProject, agent: string): boolean {
  const { destinations } = project
  if (destinations.some(d => d.name.startsWith('!') && globMatches(d.name.slice(1), agent))) return false
  return destinations.some(d => {
    if (d.name !== '') return !d.name.startsWith('!') && globMatches(d.name, agent)
    const wanted = /[?&]agentName=([^&]+)/.exec(d.server)?.[1]
    return d.server === '*' || (wanted !== undefined && globMatches(wanted, agent))
  })
}

/** The project that an Application has, and the one that its template is about to give it. */
function projectsOf(link: AppLink): { readonly link: AppLink; readonly project: string }[] {
  const said = link.appSet?.appSet.template.project ?? ''
  const projects = new Set([link.app.project, ...(said === '' || said.includes('{{') ? [] : [said])])
  return [...projects].map(project => ({ link, project }))
}

/** Up to 0.8 `sourceNamespaces` must match the agent with destination-based mapping too (agent-mode.md 2.3). */
function isBefore09(deployment: Workload | undefined): boolean {
  const [major = '', minor = ''] = versionOf(deployment?.images[0])?.split('.') ?? []
  return major === '0' && Number(minor) < 9
}

function agentsOf(links: readonly AppLink[]): string {
  return names([...new Set(links.map(l => l.cluster))].sort())
}

/** What of a project leaves these agents out: its destinations where those do, else its `sourceNamespaces` alone. */
function mismatch(project: AppProject, out: readonly AppLink[]): string {
  const undestined = out.filter(l => !projectMatches(project, l.cluster))
  if (undestined.length === 0) return `has no sourceNamespaces that match ${agentsOf(out)}`
  if (undestined.length === out.length) return `matches no destination of ${agentsOf(out)}`
  const others = out.filter(l => !undestined.includes(l))
  return `matches no destination of ${agentsOf(undestined)}, and has no sourceNamespaces that match ${agentsOf(others)}`
}

function additions(project: AppProject, out: readonly AppLink[], isStrict: boolean): string {
  const undestined = out.filter(l => !projectMatches(project, l.cluster))
  return [
    ...(undestined.length === 0
      ? []
      : [`a destination with name '*' (or ${agentsOf(undestined)}), server '*', namespace '*'`]),
    ...(isStrict ? ["sourceNamespaces '*'"] : []),
  ].join(' and ')
}

/** Does this principal also ask for `sourceNamespaces` that match the agent, before it hands out a project? */
export function asksForNamespaces(fleet: Fleet, principal: Principal): boolean {
  return !principal.settings.destinationBasedMapping || isBefore09(principalDeployment(fleet, principal))
}

/** Do the `sourceNamespaces` of a project match an agent? */
export function namespacesMatch(project: AppProject, agent: string): boolean {
  return project.sourceNamespaces.some(pattern => globMatches(pattern, agent))
}

/** Does the principal of a namespace hand a project to an agent? */
export function isHandedOut(fleet: Fleet, project: AppProject, agent: string): boolean {
  if (!projectMatches(project, agent)) return false
  const principal = fleet.join(principals).find(p => p.argo.meta.namespace === project.meta.namespace)
  return principal === undefined || !asksForNamespaces(fleet, principal) || namespacesMatch(project, agent)
}

export const projectExcludesAgent: Check = {
  code: 'FLT0804',
  slug: 'project-excludes-agent',
  title: 'The AppProject of every agent Application matches its agent',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Application', 'AppProject'] },
  uses: inputsOf(AGENT_INPUTS, { hub: ['Deployment'] }),
  docs: {
    why: 'The principal sends a project only to agents that its destinations match. A project that stops matching is deleted on the agents within a second; their Applications then fail with "referencing project … which does not exist", after the next comparison.',
    remedy:
      'Give the project a destination with `name: "*"` (or the names of the clusters), `server: "*"`, `namespace: "*"`; agents up to v0.8.1 also need a matching `sourceNamespaces`.',
    sources: ['agent-mode 2.3 (3), 4.3, 5 (39), 8 (A25)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      const { namespace } = principal.argo.meta
      const mine = managedAgentApps(fleet).filter(l => l.argoNamespace === namespace)
      const isStrict = asksForNamespaces(fleet, principal)
      for (const [name, uses] of groupBy(mine.flatMap(projectsOf), u => u.project)) {
        const links = uses.map(u => u.link)
        const project = fleet.hub.of('AppProject').get(namespace, name)
        if (project === undefined) continue
        const out = links.filter(l => !isHandedOut(fleet, project, l.cluster))
        if (out.length === 0) continue
        yield {
          subject: project.subject,
          message: `AppProject "${name}" ${mismatch(project, out)}, so the principal does not send it to these agents.`,
          evidence: [
            fact(
              project,
              '.spec.destinations',
              names(project.destinations.map(d => `name=${d.name || '-'} server=${d.server || '-'}`)),
            ),
            ...(isStrict ? [fact(project, '.spec.sourceNamespaces', names(project.sourceNamespaces))] : []),
            ...out.slice(0, 5).map(l => fact(l.app, '.spec.destination.name', l.app.destination.name)),
          ],
          effect: 'the project is missing on the agents: their Applications are refused (sync and health Unknown)',
          fix: `add ${additions(project, out, isStrict)} to AppProject ${name}`,
          clusters: [...new Set(out.map(l => l.cluster))],
        }
      }
    }
  },
}
