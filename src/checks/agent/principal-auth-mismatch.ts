import { principals } from '../../fleet/joins/agents.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { AGENT_INPUTS, agentRegistrars, notAgentHub } from './agent-support.ts'

/** The operator's default where the field is empty (agent-mode.md 1.2). */
const DEFAULT_AUTH = 'mtls:CN=([^,]+)'
const GOOD_AUTH = 'mtls:CN=system:open-cluster-management:cluster:([^:]+):addon:gitops-addon:agent:gitops-addon-agent'
const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** CN of the client certificates that ACM issues (agent-mode.md 1.6). */
function subjectOf(cluster: string): string {
  return `CN=system:open-cluster-management:cluster:${cluster}:addon:gitops-addon:agent:gitops-addon-agent`
}

/** What is wrong with an `auth` string for the certificate of a cluster, or undefined. */
function authFault(auth: string, cluster: string): string | undefined {
  const text = auth === '' ? DEFAULT_AUTH : auth
  const colon = text.indexOf(':')
  if (colon < 0) return 'has no method (form: method:config)'
  const method = text.slice(0, colon)
  if (method !== 'mtls')
    return method === 'userpass' || method === 'header'
      ? `uses ${method}, which the certificates of ACM do not serve`
      : `has the unknown method "${method}"`
  let config = text.slice(colon + 1)
  if (config.startsWith('uri:')) return undefined
  if (config.startsWith('subject:')) config = config.slice('subject:'.length)
  let captured: string | undefined
  try {
    captured = new RegExp(config).exec(subjectOf(cluster))?.[1]
  } catch {
    return 'is no valid regular expression'
  }
  if (captured === undefined) return 'does not match the certificate of the agent'
  if (captured === cluster && DNS_LABEL.test(captured)) return undefined
  return captured === cluster
    ? `gives "${captured}", which is no DNS label`
    : `gives "${captured}" instead of the cluster's name`
}

export const principalAuthMismatch: Check = {
  code: 'FLT0802',
  slug: 'principal-auth-mismatch',
  title: 'The principal recognises the certificates of its agents',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'GitOpsCluster'] },
  uses: AGENT_INPUTS,
  docs: {
    why: "The principal takes the name of an agent from its certificate by a regular expression. The operator's default captures the whole CN of an ACM certificate, which is no DNS label: every agent is refused, and only the logs say so. On the hub all statuses stop moving at once, still Synced and Healthy.",
    remedy: `Set \`spec.argoCDAgent.principal.auth\` to \`${GOOD_AUTH}\`.`,
    sources: ['agent-mode 1.6, 5 (17, 18), 8 (A06)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      const { argo, settings } = principal
      const placed = new Set(agentRegistrars(fleet, principal).flatMap(r => [...(r.decided?.clusters ?? [])]))
      const faults = [...placed].sort().flatMap(cluster => {
        const fault = authFault(settings.auth, cluster)
        return fault === undefined ? [] : [{ cluster, fault }]
      })
      const first = faults[0]
      if (first === undefined) continue
      yield {
        subject: argo.subject,
        message: `The auth expression of principal "${argo.meta.name}" ${first.fault}: it refuses ${faults.length === placed.size ? 'every agent' : `${faults.length} of ${placed.size} agents`}.`,
        evidence: [
          fact(argo, '.spec.argoCDAgent.principal.auth', settings.auth || `empty, so ${DEFAULT_AUTH}`),
          fact(argo, '', `certificate of ${first.cluster}: ${subjectOf(first.cluster)}`),
        ],
        effect:
          'no agent connects: nothing is delivered, no status comes back, and the last one stays on the hub as it was',
        fix: `set spec.argoCDAgent.principal.auth: ${GOOD_AUTH}`,
        clusters: faults.map(f => f.cluster),
      }
    }
  },
}
