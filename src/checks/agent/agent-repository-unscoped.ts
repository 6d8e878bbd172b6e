import { principals } from '../../fleet/joins/agents.ts'
import { SECRET_TYPE } from '../../fleet/labels.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, managedAgentApps, notAgentHub } from './agent-support.ts'

export const agentRepositoryUnscoped: Check = {
  code: 'FLT0826',
  slug: 'agent-repository-unscoped',
  title: 'Repository credentials for agents belong to a project',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Secret', 'Application'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'The principal sends a repository Secret to an agent only when it has a `project`, and only to agents that this project matches. One without a project works on the hub, where nobody needs it; on the spokes private repositories fail with "authentication required".',
    remedy:
      'Add `project: NAME` to the data of the Secret (of `stringData`), for a project whose destinations match the agents.',
    sources: ['agent-mode 4.3, 5 (41), 6.3 (10)', 'failures in the field I-5'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    const used = new Set(managedAgentApps(fleet).map(l => l.argoNamespace))
    for (const { argo } of fleet.join(principals)) {
      const { namespace } = argo.meta
      if (!used.has(namespace)) continue
      const loose = fleet.hub
        .of('Secret')
        .in(namespace)
        .filter(
          s => ['repository', 'repo-creds'].includes(s.meta.labels[SECRET_TYPE] ?? '') && !s.keys.includes('project'),
        )
      const first = loose[0]
      if (first === undefined) continue
      yield {
        subject: first.subject,
        message: `${names(loose.map(s => `Repository Secret "${s.meta.name}"`))} in namespace "${namespace}" ${loose.length === 1 ? 'has' : 'have'} no project, so agents do not get ${loose.length === 1 ? 'it' : 'them'}.`,
        evidence: loose.slice(0, 8).map(s => fact(s, '.data', `keys ${s.keys.join(', ')}`)),
        effect: 'private repositories cannot be read on the spokes',
        fix: `add key project to ${loose.length === 1 ? 'the Secret' : 'these Secrets'} (of a project that the agents match)`,
        breaks: false,
      }
    }
  },
}
