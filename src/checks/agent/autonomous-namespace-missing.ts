import { principals } from '../../fleet/joins/agents.ts'
import { missing, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { AGENT_INPUTS, agentRegistrars, notAgentHub } from './agent-support.ts'

export const autonomousNamespaceMissing: Check = {
  code: 'FLT0834',
  slug: 'autonomous-namespace-missing',
  title: 'The hub has a namespace for what each autonomous agent sends',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'GitOpsCluster', 'PlacementDecision', 'Namespace'] },
  uses: AGENT_INPUTS,
  whole: { hub: ['Namespace'] },
  docs: {
    why: 'An autonomous agent sends its Applications to the hub, where they are stored in the namespace of its name. The principal does not create it unless told to; without it every event is refused with a log line.',
    remedy: 'Create the namespace, or set `spec.argoCDAgent.principal.namespace.enableNamespaceCreate: true`.',
    sources: ['agent-mode 1.2, 4.2, 5 (71)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      for (const r of agentRegistrars(fleet, principal)) {
        if (r.goc.agentMode !== 'autonomous') continue
        for (const cluster of [...(r.decided?.clusters ?? [])].sort()) {
          if (fleet.hub.of('Namespace').get('', cluster) !== undefined) continue
          yield {
            subject: missing(subject('hub', 'Namespace', '', cluster)),
            message: `The hub has no namespace "${cluster}" for the Applications of its autonomous agent.`,
            evidence: [
              fact(r.goc, '.spec.gitopsAddon.argoCDAgent.mode', 'autonomous'),
              fact(missing(subject('hub', 'Namespace', '', cluster)), '', 'does not exist'),
            ],
            effect: `Applications of ${cluster} do not come to the hub`,
            fix: `create namespace ${cluster} on the hub`,
            clusters: [cluster],
          }
        }
      }
    }
  },
}
