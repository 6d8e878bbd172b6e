import { principals } from '../../fleet/joins/agents.ts'
import type { Check } from '../check.ts'
import { count, fact } from '../support.ts'
import { AGENT_INPUTS, notAgentHub } from './agent-support.ts'

const BLOCKLIST = 'argocd-agent-tls-blocklist'

export const agentCertificatesBlocked: Check = {
  code: 'FLT0840',
  slug: 'agent-certificates-blocked',
  title: 'No certificate of an agent is on the block list of the principal',
  severity: 'info',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'ConfigMap'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'The principal refuses certificates on its block list, with a log line only ("certificate is blocklisted"). An agent that was blocked on purpose and whose entry was forgotten stays cut off until it gets a new certificate.',
    remedy: 'Take the entry out of the ConfigMap, or have the certificate of the agent issued anew.',
    sources: ['agent-mode 1.6, 5 (20)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const { argo } of fleet.join(principals)) {
      const list = fleet.hub.of('ConfigMap').get(argo.meta.namespace, BLOCKLIST)
      const entries = Object.values(list?.data ?? {})
        .join('\n')
        .split(/[\s,]+/)
        .filter(e => e !== '').length
      if (list === undefined || entries === 0) continue
      yield {
        subject: list.subject,
        message: `The principal of ArgoCD "${argo.meta.name}" blocks certificates: ConfigMap "${BLOCKLIST}" has ${count(entries, 'entry', 'entries')}.`,
        evidence: [fact(list, '.data', `keys ${Object.keys(list.data).join(', ')}`)],
        effect: 'agents with these certificates are refused, and only the log of the principal says so',
        fix: 'remove entries that are not meant any more, or let the certificate be issued anew',
        breaks: false,
      }
    }
  },
}
