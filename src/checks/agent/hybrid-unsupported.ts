import { principals } from '../../fleet/joins/agents.ts'
import type { ClusterServiceVersion } from '../../fleet/records.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { AGENT_INPUTS, notAgentHub } from './agent-support.ts'

/** First release whose application controller honours skip-reconcile on cluster secrets: Argo CD 3.4 in OpenShift GitOps 1.21 (agent-mode.md 0.1). */
const FIRST = [1, 21] as const

function isOlder({ version }: ClusterServiceVersion): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < FIRST[0] || (major === FIRST[0] && minor < FIRST[1])
}

export const hybridUnsupported: Check = {
  code: 'FLT0828',
  slug: 'hybrid-unsupported',
  title: 'An application controller beside a principal knows how to leave agents alone',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'ClusterServiceVersion'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'A hub may keep its application controller on beside a principal only when that controller honours `skip-reconcile` on cluster secrets, which Argo CD does since 3.4 (OpenShift GitOps 1.21). An older one works on the Applications of agents through a proxy that is not made for it.',
    remedy:
      'Update OpenShift GitOps on the hub, or set `spec.controller.enabled: false` where nothing else is deployed by this instance.',
    sources: ['agent-mode 0.1, 1.8, 3.2, 5 (42), 8 (A10)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    const old = fleet.hub
      .of('ClusterServiceVersion')
      .all.filter(c => /gitops-operator/.test(c.meta.name) && /^\d+\.\d+/.test(c.version) && isOlder(c))
    const csv = old[0]
    if (csv === undefined) return
    for (const { argo, agents } of fleet.join(principals)) {
      if (!argo.controllerEnabled || agents.size === 0) continue
      yield {
        subject: argo.subject,
        message: `ArgoCD "${argo.meta.name}" has its application controller on beside the principal, but OpenShift GitOps ${csv.version} does not honour skip-reconcile on cluster secrets.`,
        evidence: [fact(argo, '.spec.controller.enabled', 'true'), fact(csv, '.spec.version', csv.version)],
        effect: 'the hub controller works on the Applications of the agents too',
        fix: `update OpenShift GitOps on the hub to ${FIRST.join('.')} or later, or set spec.controller.enabled: false`,
        breaks: false,
      }
    }
  },
}
