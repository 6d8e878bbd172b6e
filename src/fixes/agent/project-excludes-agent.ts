import { projectMatches } from '../../checks/agent/project-excludes-agent.ts'
import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { projectForAgents } from '../../plan/manifests/app-project.ts'
import { isObject } from '../../raw.ts'
import { listOf, NOT_SEEN, write } from '../edits.ts'
import type { Fix } from '../fix.ts'

/** Agents up to 0.8 also want a namespace pattern, which opens the project to whoever may write there. */
function lacksNamespaces({ subject: { namespace, name }, clusters = [] }: Finding, fleet: Fleet): string | undefined {
  const project = fleet.hub.of('AppProject').get(namespace, name)
  return project !== undefined && clusters.every(cluster => projectMatches(project, cluster))
    ? 'the destinations match; agents before 0.9 also want sourceNamespaces, which is for a person to widen'
    : undefined
}

export const projectExcludesAgentFix: Fix = {
  code: 'FLT0804',
  does: 'add the agents to the destinations of the project',
  risk: 'whoever may write Applications of this project may deploy to these clusters, into every namespace',
  safe: false,
  kinds: ['AppProject'],
  hinders: lacksNamespaces,
  repair(input) {
    const { finding, fleet, version } = input
    const why = lacksNamespaces(finding, fleet)
    if (why !== undefined) return why
    const { namespace, name } = finding.subject
    const destinations = listOf(input, finding.subject, 'spec', 'destinations')
    if (destinations === undefined) return NOT_SEEN
    const agents = [...new Set(finding.clusters ?? [])].sort()
    const project = fleet.hub.of('AppProject').get(namespace, name)
    if (agents.length === 0 || project === undefined) return 'which agents are meant is not known'
    if (project.destinations.some(d => d.name.startsWith('!')))
      return 'the project denies destinations on purpose (an entry with "!")'
    const manifest = projectForAgents(version, {
      namespace,
      name,
      destinations: destinations.filter(isObject),
      agents,
    })
    return { steps: [write(manifest, 'the principal sends a project to agents that a destination names')] }
  },
}
