import { principals } from '../../fleet/joins/agents.ts'
import { IN_CLUSTER_SERVER } from '../../fleet/joins/applications.ts'
import { groupBy } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, managedAgentApps, notAgentHub } from './agent-support.ts'

export const agentDestinationByServer: Check = {
  code: 'FLT0824',
  slug: 'agent-destination-by-server',
  title: 'Applications for agents name their cluster',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Application'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'With destination-based mapping the principal looks at `destination.name` alone. An Application with `destination.server` is ignored without a log line. One that is changed from name to server is worse: the principal has the agent delete its copy and workload within a second, while the hub goes on saying Synced and Healthy.',
    remedy: "Use `destination.name: '{{name}}'` in the template.",
    sources: ['agent-mode 2.6, 4.1 (H2), 5 (34), 8 (A15)', 'seen on running controllers: 4.1'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    const mapping = new Set(
      fleet
        .join(principals)
        .filter(p => p.settings.destinationBasedMapping)
        .map(p => p.argo.meta.namespace),
    )
    const wrong = managedAgentApps(fleet).filter(
      l =>
        mapping.has(l.argoNamespace) &&
        l.app.destination.name === '' &&
        l.app.destination.server !== '' &&
        l.app.destination.server !== IN_CLUSTER_SERVER &&
        l.app.meta.deleting === undefined,
    )
    for (const list of groupBy(wrong, l => l.appSet?.appSet.meta.uid ?? l.app.meta.uid).values()) {
      const first = list[0]
      if (first === undefined) continue
      yield {
        subject: first.appSet?.appSet.subject ?? first.app.subject,
        message: `${names(list.map(l => `Application "${l.app.meta.name}"`))} ${list.length === 1 ? 'is' : 'are'} meant for an agent but ${list.length === 1 ? 'names' : 'name'} the server instead of the cluster: the principal ignores ${list.length === 1 ? 'it' : 'them'}.`,
        evidence: list.slice(0, 5).map(l => fact(l.app, '.spec.destination.server', l.app.destination.server)),
        effect:
          'nothing is delivered; a copy that was there is deleted with its workload, and the hub still says Synced and Healthy',
        fix: 'set destination.name to the cluster and remove destination.server',
        clusters: [...new Set(list.map(l => l.cluster))],
        through: list.map(l => l.app.subject),
      }
    }
  },
}
