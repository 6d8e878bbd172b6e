import { principals } from '../../fleet/joins/agents.ts'
import { globMatches } from '../../fleet/joins/spoke-argo.ts'
import { groupBy } from '../../fleet/maps.ts'
import type { AppProject } from '../../fleet/records.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, managedAgentApps, notAgentHub } from './agent-support.ts'

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

export const projectExcludesAgent: Check = {
  code: 'FLT0804',
  slug: 'project-excludes-agent',
  title: 'The AppProject of every agent Application matches its agent',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Application', 'AppProject'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'The principal sends a project only to agents that its destinations match. A project that stops matching is deleted on the agents within a second; their Applications then fail with "referencing project … which does not exist", after the next comparison.',
    remedy:
      'Give the project a destination with `name: "*"` (or the names of the clusters), `server: "*"`, `namespace: "*"`; agents up to v0.8.1 also need a matching `sourceNamespaces`.',
    sources: ['agent-mode 2.3 (3), 4.3, 5 (39), 8 (A25)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const { argo, settings } of fleet.join(principals)) {
      const { namespace } = argo.meta
      const mine = managedAgentApps(fleet).filter(l => l.argoNamespace === namespace)
      for (const [name, links] of groupBy(mine, l => l.app.project)) {
        const project = fleet.hub.of('AppProject').get(namespace, name)
        if (project === undefined) continue
        const out = links.filter(
          l =>
            !projectMatches(project, l.cluster) ||
            (!settings.destinationBasedMapping && !project.sourceNamespaces.some(p => globMatches(p, l.cluster))),
        )
        if (out.length === 0) continue
        yield {
          subject: project.subject,
          message: `AppProject "${name}" matches no destination of ${names([...new Set(out.map(l => l.cluster))].sort())}, so the principal does not send it to these agents.`,
          evidence: [
            fact(
              project,
              '.spec.destinations',
              names(project.destinations.map(d => `name=${d.name || '-'} server=${d.server || '-'}`)),
            ),
            ...out.slice(0, 5).map(l => fact(l.app, '.spec.destination.name', l.app.destination.name)),
          ],
          effect: 'the project is missing on the agents: their Applications are refused (sync and health Unknown)',
          fix: `add a destination with name '*' (or ${names([...new Set(out.map(l => l.cluster))].sort())}), server '*', namespace '*' to AppProject ${name}`,
          clusters: [...new Set(out.map(l => l.cluster))],
        }
      }
    }
  },
}
