import { principals } from '../../fleet/joins/agents.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, notAgentHub } from './agent-support.ts'

export const agentMappedTwice: Check = {
  code: 'FLT0822',
  slug: 'agent-mapped-twice',
  title: 'Every agent is mapped to one cluster secret',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Secret'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'The principal maps an agent to the cluster secret that carries its name as a label. With two of them the second is refused ("is already mapped to cluster"), by the order in which they were seen.',
    remedy: 'Delete the secret that is not the present one.',
    sources: ['agent-mode 1.8, 5 (32), 8 (A09)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const { agents } of fleet.join(principals)) {
      for (const [agent, secrets] of agents) {
        const oldest = [...secrets].sort((a, b) => (a.meta.created ?? 0) - (b.meta.created ?? 0))[0]
        // Two with one data.name are the matter of another check, whatever their labels say.
        if (oldest === undefined || secrets.length < 2 || new Set(secrets.map(s => s.cluster.name)).size < 2) continue
        yield {
          subject: oldest.subject,
          message: `${secrets.length} cluster secrets carry the name of agent "${agent}": ${names(secrets.map(s => s.meta.name))}.`,
          evidence: secrets.map(s => fact(s, '', `name ${s.cluster.name}, server ${s.cluster.server}`)),
          effect: 'the principal takes the one that it sees first; Applications of the other cluster go nowhere',
          fix: `delete the one that is not the present secret of ${agent}`,
          clusters: [agent],
        }
      }
    }
  },
}
