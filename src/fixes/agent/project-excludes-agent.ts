import { projectForAgents } from '../../plan/manifests/app-project.ts'
import { isRawObject } from '../../plan/object.ts'
import { listOf, NOT_SEEN, write } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const projectExcludesAgentFix: Fix = {
  code: 'FLT0804',
  does: 'add the agents to the destinations of the project',
  risk: 'whoever may write Applications of this project may deploy to these clusters, into every namespace',
  safe: false,
  kinds: ['AppProject'],
  repair(input) {
    const { finding, fleet, version } = input
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
      destinations: destinations.filter(isRawObject),
      agents,
    })
    return { steps: [write(manifest, 'the principal sends a project to agents that a destination names')] }
  },
}
