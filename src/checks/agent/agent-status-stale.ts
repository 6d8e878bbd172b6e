import { inputsOf } from '../../fleet/fleet.ts'
import { principals } from '../../fleet/joins/agents.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { groupBy } from '../../fleet/maps.ts'
import { subject } from '../../fleet/subject.ts'
import { RECONCILIATION_KINDS, staleAfter } from '../argo/reconciliation.ts'
import type { Check } from '../check.ts'
import { fact, lasting, timeText } from '../support.ts'
import { AGENT_INPUTS, agentDeployments, heardAt, notAgentHub } from './agent-support.ts'

export const agentStatusStale: Check = {
  code: 'FLT0808',
  slug: 'agent-status-stale',
  title: 'Every agent sends the status of its Applications',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Application'] },
  uses: inputsOf(AGENT_INPUTS, { spoke: ['Deployment', ...RECONCILIATION_KINDS] }),
  docs: {
    why: 'Nothing in the Kubernetes API of the hub says that an agent is disconnected. The only signs are times: `reconciledAt` of its Applications and the last write of manager `argocd-agent` stand still, while those of other agents move on. With `timeout.reconciliation: 0` on the spoke nothing is looked at by the clock, and the check says nothing; where the spoke was not read it supposes the default.',
    remedy:
      'Look at the agent on the spoke and at the log of the principal. If all agents are silent at once it is the principal, its certificate or its Route.',
    sources: ['agent-mode 4.5, 4.6, 8 (A16)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const [cluster, links] of groupBy(
      fleet.join(applications).all.filter(l => l.model === 'agent'),
      l => l.cluster,
    )) {
      const newest = links.reduce((a, b) => (heardAt(a) >= heardAt(b) ? a : b))
      const at = heardAt(newest)
      const view = fleet.spokes.get(cluster)
      const agents = view === undefined ? [] : agentDeployments(view)
      const limit = staleAfter(view, agents[0]?.meta.namespace ?? '')
      if (at === 0 || limit === undefined || fleet.now - at < limit) continue
      yield {
        subject: newest.app.subject,
        message: `The agent of cluster "${cluster}" has sent no status for ${lasting(fleet.now, at)}.`,
        evidence: links.slice(0, 5).map(l => fact(l.app, '.status.reconciledAt', timeText(l.app.reconciledAt))),
        effect: 'Synced and Healthy of its Applications are old; changes may not arrive',
        fix: `look at the agent on ${cluster} and at the log of the principal`,
        because: [
          ...fleet
            .join(principals)
            .filter(p => p.argo.meta.namespace === newest.argoNamespace)
            .map(p => ({ subject: p.argo.subject })),
          ...agents.map(d => ({ subject: d.subject })),
          { subject: subject('hub', 'ManagedCluster', '', cluster) },
        ],
        clusters: [cluster],
        through: links.map(l => l.app.subject),
      }
    }
  },
}
