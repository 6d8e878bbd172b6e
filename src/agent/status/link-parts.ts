import { agentDeployments, heardAt } from '../../checks/agent/agent-support.ts'
import { versionOf } from '../../checks/agent/agent-version-skew.ts'
import { staleAfter } from '../../checks/argo/reconciliation.ts'
import type { Node } from '../../checks/fold.ts'
import { count, lasting } from '../../checks/support.ts'
import { subject } from '../../fleet/subject.ts'
import { GITOPS_ADDON_CONFIG } from '../../fleet/well-known.ts'
import type { Agent } from './agent.ts'
import { askPrincipalLog, askPrincipalMetrics } from './ask.ts'
import type { Parts } from './parts.ts'

/**
 * Findings that keep an agent from its principal, whatever the last status says: it is as old as the fault at most. A pending
 * certificate is not among them, for the one before may still be good.
 */
const LINK_CODES: ReadonlySet<string> = new Set([
  'FLT0802', // auth expression
  'FLT0805', // agent down
  'FLT0808', // status stale
  'FLT0811', // address stale
  'FLT0813', // principal down
  'FLT0816', // address not certified
  'FLT0819', // name forbidden
  'FLT0820', // Route unusable
  'FLT0830', // principal without rights
  'FLT0831', // principal and agent in one ArgoCD
  'FLT0833', // settings refused
  'FLT0841', // no principal
])

const VERSION_CODES: ReadonlySet<string> = new Set(['FLT0832'])

/** Is a finding about the connection of this agent? */
function cuts({ place, name }: Agent, { found }: Node): boolean {
  const { clusters, subject: at } = found.finding
  if (clusters !== undefined) return clusters.includes(name)
  if (at.cluster !== 'hub') return at.cluster === name
  const registers = place.registrars.some(r => r.goc.meta.namespace === at.namespace)
  return at.namespace === place.namespace || at.namespace === name || registers
}

/** Nothing in the Kubernetes API says that an agent is connected; what it sends is the evidence (agent-mode.md 4.6). */
export function addConnection(parts: Parts, agent: Agent): void {
  const { place, name, view, namespace } = agent
  const { fleet, deployment } = place
  const links = place.routed.get(name) ?? []
  const heard = Math.max(0, ...links.map(heardAt))
  const principal = deployment?.meta.name ?? `${place.principal?.argo.meta.name ?? ''}-agent-principal`
  const also = { codes: LINK_CODES, cluster: name, is: (node: Node): boolean => cuts(agent, node) }
  const at = subject('hub', 'ManagedCluster', '', name)
  if (heard === 0) {
    const message =
      links.length === 0
        ? 'no Application is routed to it, so nothing tells whether it is connected'
        : `none of its ${count(links.length, 'Application')} has a status yet`
    parts.add('connection', at, {
      message,
      state: 'unknown',
      ask: askPrincipalMetrics(place.namespace, principal),
      also,
      apart: true,
    })
    return
  }
  if (staleAfter(view, namespace) === undefined) {
    const message = `last status ${lasting(fleet.now, heard)} ago; its Argo CD does not reconcile by the clock, so age tells nothing`
    parts.add('connection', at, {
      message,
      since: heard,
      state: 'unknown',
      ask: askPrincipalLog(place.namespace, principal, name),
      also,
      apart: true,
    })
    return
  }
  parts.add('connection', at, {
    message: `last status ${lasting(fleet.now, heard)} ago, of ${count(links.length, 'Application')}`,
    since: heard,
    also,
    apart: true,
  })
}

/** Both sides must be of one version string, compiled into the binaries; images tell it by their tags at best. */
export function addVersion(parts: Parts, { place, name, view }: Agent): void {
  const { fleet, deployment } = place
  if (deployment === undefined) return
  const running = view === undefined ? undefined : agentDeployments(view)[0]
  const told = fleet.hub.of('AddOnDeploymentConfig').get(name, GITOPS_ADDON_CONFIG)?.variables.ARGOCD_AGENT_IMAGE
  const hub = versionOf(deployment.images[0])
  const spoke = versionOf(running?.images[0] ?? told)
  const from = running === undefined ? ' by the add-on config, which OpenShift spokes do not follow' : ''
  const isKnown = hub !== undefined && spoke !== undefined
  const ask = isKnown && running !== undefined ? '' : askPrincipalLog(place.namespace, deployment.meta.name, name)
  parts.add('version', running?.subject ?? deployment.subject, {
    message: `hub ${hub ?? 'unknown'}, spoke ${spoke ?? 'unknown'}${spoke === undefined ? '' : from}`,
    ...(isKnown && running !== undefined ? {} : { state: 'unknown' as const }),
    ask,
    apart: true,
    also: { codes: VERSION_CODES, cluster: name, is: node => (node.found.finding.clusters ?? [name]).includes(name) },
  })
}
