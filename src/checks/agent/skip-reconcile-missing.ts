import { principals } from '../../fleet/joins/agents.ts'
import { parsesTrue } from '../../fleet/joins/applications.ts'
import { SKIP_RECONCILE } from '../../fleet/labels.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { AGENT_INPUTS, notAgentHub } from './agent-support.ts'

export const skipReconcileMissing: Check = {
  code: 'FLT0809',
  slug: 'skip-reconcile-missing',
  title: 'The hub controller keeps its hands off the clusters of agents',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Secret'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'With the application controller on, the cluster secrets of agents must carry `argocd.argoproj.io/skip-reconcile: "true"` (honoured since Argo CD 3.4; written by ACM 2.17 and later). Without it the hub controller works on the Applications of the agents too, through a proxy that is not made for it, and overwrites their connection state.',
    remedy:
      'Annotate the secrets, or set `spec.controller.enabled: false` if nothing else is deployed by this instance.',
    sources: ['agent-mode 1.8, 3.2, 8 (A10)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const { argo, agents } of fleet.join(principals)) {
      if (!argo.controllerEnabled) continue
      for (const [agent, secrets] of agents) {
        for (const secret of secrets) {
          const value = secret.meta.annotations[SKIP_RECONCILE]
          if (parsesTrue(value)) continue
          yield {
            subject: secret.subject,
            message: `Cluster secret "${secret.meta.name}" of agent "${agent}" lacks skip-reconcile while the application controller of "${argo.meta.name}" runs.`,
            evidence: [
              fact(secret, `.metadata.annotations[${SKIP_RECONCILE}]`, value ?? 'absent'),
              fact(argo, '.spec.controller.enabled', 'true'),
            ],
            effect: 'the hub controller reconciles the Applications of the agent as well',
            fix: `oc -n ${secret.meta.namespace} annotate secret ${secret.meta.name} ${SKIP_RECONCILE}=true, or switch the controller off`,
            clusters: [agent],
          }
        }
      }
    }
  },
}
