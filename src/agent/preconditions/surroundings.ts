import { atLeast, installedOperator } from '../../bootstrap/hub.ts'
import { heardAt, managedAgentApps, principalDeployment } from '../../checks/agent/agent-support.ts'
import { principals } from '../../fleet/joins/agents.ts'
import { valueAt } from '../../raw.ts'
import type { AgentHub } from '../hub.ts'
import { principalName } from '../hub.ts'
import { failed, ok, type PreconditionCheck, unknown } from './precondition.ts'

const ACM = 'advanced-cluster-management'

/** Clusters whose agents have reported an Application to this principal: what leads to it works. */
function heardFrom({ fleet, agentNamespace }: AgentHub): readonly string[] {
  const heard = managedAgentApps(fleet).filter(l => l.argoNamespace === agentNamespace && heardAt(l) > 0)
  return [...new Set(heard.map(l => l.cluster))].sort()
}

/** P14. The router itself is no object of the fleet; what it made of a Route, and who came through it, is. */
const passthrough: PreconditionCheck = {
  code: 'route-passes-through',
  title: 'clusters reach the principal by HTTP/2, and nothing between ends TLS',
  weight: 'warns',
  judge(hub) {
    const { fleet, agentNamespace, argo, rawArgo } = hub
    const todo =
      'look at the router (oc get ingresscontrollers -n openshift-ingress-operator) and try from a cluster: openssl s_client -alpn h2 -connect HOST:443; where a proxy ends TLS, principal and agents need server.enableWebSocket: true'
    const route =
      argo === undefined ? undefined : fleet.hub.of('Route').get(agentNamespace, principalName(argo.meta.name))
    if (route !== undefined && (route.termination !== 'passthrough' || route.admitted === false)) {
      const what = route.admitted === false ? 'is refused by the router' : `ends TLS (${route.termination || 'none'})`
      return failed(`Route ${agentNamespace}/${route.meta.name} ${what}`, 'use the Route of the operator')
    }
    const heard = heardFrom(hub)
    if (heard.length > 0) return ok(`agents have reported through it: ${heard.join(', ')}`)
    if (valueAt(rawArgo, 'spec', 'argoCDAgent', 'principal', 'server', 'enableWebSocket') === true) {
      return unknown('.spec.argoCDAgent.principal.server.enableWebSocket is true', 'the agents need it, too')
    }
    return unknown('no agent has come through the router yet', todo)
  },
}

/** P25: what is described of conditions, secrets and clean-up was seen on ACM 2.17. */
const acmVersion: PreconditionCheck = {
  code: 'acm-version',
  title: 'the version of ACM is one that this was made for',
  weight: 'warns',
  judge({ fleet, facts }) {
    if (facts.flavour === 'upstream') return ok('the hub runs upstream Open Cluster Management')
    const { version } = installedOperator(fleet, ACM)
    const is = atLeast(version, 2, 17)
    if (is === undefined) {
      return unknown(
        'no Subscription of advanced-cluster-management was seen',
        "it takes 2.17: oc get multiclusterhubs -A -o jsonpath='{.items[*].status.currentVersion}'",
      )
    }
    return is
      ? ok(`ACM ${version}`)
      : failed(`ACM ${version}`, 'it takes 2.17: before, secrets of agents are written without skip-reconcile')
  },
}

/** P29. Quotas, constraints and network policies are not read; a principal that runs was not kept from it. */
const unhindered: PreconditionCheck = {
  code: 'namespace-lets-it-run',
  title: 'quotas, security constraints and network policies let the principal run',
  weight: 'warns',
  judge({ fleet, agentNamespace, setup, argoNamespace }) {
    const principal = fleet.join(principals).find(p => p.argo.meta.namespace === agentNamespace)
    const deployment = principal === undefined ? undefined : principalDeployment(fleet, principal)
    if (deployment !== undefined && deployment.readyReplicas > 0) {
      return ok(`Deployment ${agentNamespace}/${deployment.meta.name} runs`)
    }
    if (
      setup === 'dedicated' &&
      agentNamespace !== argoNamespace &&
      !fleet.hub.of('Namespace').get('', agentNamespace)
    ) {
      return ok(`namespace ${agentNamespace} is made for it`)
    }
    return unknown(
      'no principal runs there yet, and these objects are not read',
      `look yourself: oc -n ${agentNamespace} get resourcequotas,limitranges,networkpolicies; agents need 443 of the principal, and the principal Redis`,
    )
  },
}

export const SURROUNDING_CHECKS: readonly PreconditionCheck[] = [passthrough, acmVersion, unhindered]
