import { principals } from '../../fleet/joins/agents.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, agentRegistrars, isPartOfAgent, notAgentHub } from './agent-support.ts'

export const agentAddressStale: Check = {
  code: 'FLT0811',
  slug: 'agent-address-stale',
  title: 'Agents are told the address that the principal has',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'GitOpsCluster', 'Route'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'The controller discovers the address of the principal once, writes it into the spec of the GitOpsCluster and never looks again. After the Route got another host the agents go on dialling the old one.',
    remedy:
      'Empty `serverAddress` and `serverPort` in `spec.gitopsAddon.argoCDAgent`; the controller discovers them again.',
    sources: ['agent-mode 1.9, 5 (28), 8 (A08)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      const routes = fleet.hub
        .of('Route')
        .in(principal.argo.meta.namespace)
        .filter(r => isPartOfAgent(r) && r.meta.name.includes('principal') && r.host !== '')
      if (routes.length === 0) continue
      for (const { goc } of agentRegistrars(fleet, principal)) {
        if (goc.serverAddress === '' || routes.some(r => r.host === goc.serverAddress)) continue
        yield {
          subject: goc.subject,
          message: `GitOpsCluster "${goc.meta.name}" tells its agents the address "${goc.serverAddress}", but the Route of the principal has ${names(routes.map(r => `"${r.host}"`))}.`,
          evidence: [
            fact(goc, '.spec.gitopsAddon.argoCDAgent.serverAddress', goc.serverAddress),
            ...routes.map(r => fact(r, '.spec.host', r.host)),
          ],
          effect: 'agents cannot connect, unless the old address still leads to the principal',
          fix: 'empty serverAddress and serverPort in spec.gitopsAddon.argoCDAgent',
        }
      }
    }
  },
}
