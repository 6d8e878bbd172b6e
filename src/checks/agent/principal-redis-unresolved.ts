import { inputsOf } from '../../fleet/fleet.ts'
import { principals } from '../../fleet/joins/agents.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, notAgentHub, principalDeployment } from './agent-support.ts'

const VARIABLE = 'ARGOCD_PRINCIPAL_REDIS_SERVER_ADDRESS'

export const principalRedisUnresolved: Check = {
  code: 'FLT0817',
  slug: 'principal-redis-unresolved',
  title: 'The Redis address of the principal leads to a Service',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Service'] },
  uses: inputsOf(AGENT_INPUTS, { hub: ['Deployment'] }),
  docs: {
    why: 'The principal stands between Argo CD and Redis. Its default address is `<cr>-redis:6379`, which does not exist with Redis HA or a remote Redis; operators before October 2025 wrote `argocd-redis:6379`. Delivery and status go on; resource trees, repository cache and the user interface fail ("error getting cached app resource tree: EOF").',
    remedy: 'Set `spec.argoCDAgent.principal.redis.serverAddress` to the Service of Redis (with HA: its proxy).',
    sources: ['agent-mode 1.2, 5 (10, 59), 6.3 (8), 8 (A18)', 'failures in the field J-5'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      const { argo, settings } = principal
      const { namespace, name } = argo.meta
      const services = fleet.hub.of('Service').in(namespace)
      // Nothing at all was recorded of that namespace: then nothing can be said.
      if (!fleet.hub.knows('Service', namespace) || services.length === 0) continue
      const deployment = principalDeployment(fleet, principal)
      const address = deployment?.env[VARIABLE] || settings.redisAddress || `${name}-redis:6379`
      const host = address.replace(/:\d+$/, '').replace(/\.$/, '')
      const [service = '', where = namespace] = host.split('.')
      // A host outside the cluster cannot be looked up here.
      if (host.includes('.') && !/\.svc(\.|$)/.test(host)) continue
      if (fleet.hub.of('Service').get(where, service) !== undefined) continue
      const likely = services
        .filter(s => s.meta.name.includes('redis') && !s.meta.name.includes('agent'))
        .map(s => s.meta.name)
      yield {
        subject: argo.subject,
        message: `The principal of ArgoCD "${name}" looks for Redis at "${address}", but there is no Service "${service}" in namespace "${where}".`,
        evidence: [
          fact(argo, '.spec.argoCDAgent.principal.redis.serverAddress', settings.redisAddress || 'absent'),
          ...(deployment === undefined
            ? []
            : [fact(deployment, `env ${VARIABLE}`, deployment.env[VARIABLE] ?? 'absent')]),
          fact(argo, '.spec.ha.enabled', argo.ha),
          fact(argo, '', `Services of Redis in ${namespace}: ${names(likely)}`),
        ],
        effect:
          'resource trees and live views of all agent Applications are empty; delivery and status are not affected',
        fix: `set spec.argoCDAgent.principal.redis.serverAddress: ${likely.find(s => s.includes('haproxy')) ?? likely[0] ?? '<service>'}:6379`,
        breaks: false,
      }
    }
  },
}
