import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

const NONE = 'there is not exactly one Service of Redis in the namespace'

/** The proxy of a Redis with replicas, else the only Service of Redis (agent-mode.md 1.2). */
function redisOf({ subject: { namespace } }: Finding, fleet: Fleet): string | undefined {
  const all = fleet.hub
    .of('Service')
    .in(namespace)
    .map(s => s.meta.name)
    .filter(name => name.includes('redis') && !name.includes('agent'))
  const proxies = all.filter(name => name.includes('haproxy'))
  const found = proxies.length > 0 ? proxies : all
  return found.length === 1 ? found[0] : undefined
}

export const principalRedisUnresolvedFix: Fix = {
  code: 'FLT0817',
  does: 'tell the principal the Service of Redis that is there',
  risk: 'the operator restarts the principal: agents are cut off for some seconds',
  safe: true,
  kinds: ['ArgoCD'],
  hinders: (finding, fleet) => (redisOf(finding, fleet) === undefined ? NONE : undefined),
  repair(input) {
    const service = redisOf(input.finding, input.fleet)
    if (service === undefined) return NONE
    const fields = { spec: { argoCDAgent: { principal: { redis: { serverAddress: `${service}:6379` } } } } }
    return { steps: [edit(input, input.finding.subject, fields, `Service ${service} exists`)] }
  },
}
