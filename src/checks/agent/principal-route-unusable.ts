import { principals } from '../../fleet/joins/agents.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { AGENT_INPUTS, isPartOfAgent, notAgentHub } from './agent-support.ts'

export const principalRouteUnusable: Check = {
  code: 'FLT0820',
  slug: 'principal-route-unusable',
  title: 'The Route of the principal is admitted and passes TLS through',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Route'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'Agents speak gRPC with their own certificates through the Route of the principal. A Route that no router has admitted (shard selector, host taken) leads nowhere; one that ends TLS at the edge breaks the client certificate and HTTP/2 ("no application protocol", 503).',
    remedy:
      'Use the Route of the operator (`server.route.enabled: true`): passthrough, no edge termination. Behind a proxy that ends TLS set `server.enableWebSocket: true`.',
    sources: ['agent-mode 1.2, 1.3, 5 (29), 8 (A27)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const { argo } of fleet.join(principals)) {
      const routes = fleet.hub
        .of('Route')
        .in(argo.meta.namespace)
        .filter(r => isPartOfAgent(r, 'principal'))
      for (const route of routes) {
        const isOwn = route.meta.owners.some(o => o.kind === 'ArgoCD' && o.name === argo.meta.name)
        if (isOwn && argo.principal?.routeEnabled === false) {
          yield {
            subject: argo.subject,
            severity: 'warning',
            message: `ArgoCD "${argo.meta.name}" switches the Route of its principal off; Route "${route.meta.name}", which the operator made, goes at its next look.`,
            evidence: [
              fact(argo, '.spec.argoCDAgent.principal.server.route.enabled', false),
              fact(route, '.spec.host', route.host),
            ],
            effect: 'agents that connect through the Route lose the hub',
            fix: 'set spec.argoCDAgent.principal.server.route.enabled to true, or give the agents another address first',
            breaks: false,
          }
        }
        const refused = route.admitted === false
        const ended = route.termination !== 'passthrough'
        if (!refused && !ended) continue
        yield {
          subject: route.subject,
          message: refused
            ? `Route "${route.meta.name}" of the principal is not admitted by any router.`
            : `Route "${route.meta.name}" of the principal ends TLS (${route.termination || 'none'}) instead of passing it through.`,
          evidence: [
            fact(
              route,
              '.status.ingress[].conditions[Admitted]',
              route.admitted === undefined ? 'absent' : String(route.admitted),
            ),
            fact(route, '.spec.tls.termination', route.termination || 'absent'),
            fact(route, '.spec.host', route.host),
          ],
          effect: 'agents cannot connect from outside the hub',
          fix: refused
            ? 'see the message of the router: host taken, or labels that no shard selects'
            : 'set spec.tls.termination: passthrough (let the operator write its own Route)',
          through: [argo.subject],
        }
      }
    }
  },
}
