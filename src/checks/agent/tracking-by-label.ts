import { inputsOf } from '../../fleet/fleet.ts'
import { principals } from '../../fleet/joins/agents.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { AGENT_INPUTS, notAgentHub } from './agent-support.ts'

const KEY = 'application.resourceTrackingMethod'

export const trackingByLabel: Check = {
  code: 'FLT0836',
  slug: 'tracking-by-label',
  title: 'Argo CDs with agents track resources by annotation',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'ConfigMap'] },
  uses: inputsOf(AGENT_INPUTS, { spoke: ['ConfigMap', 'ArgoCD'] }),
  docs: {
    why: 'The resource proxy finds the agent of a resource by its tracking annotation. With tracking by label live manifests are "not found in cluster", although sync and status work.',
    remedy:
      'Set `spec.resourceTrackingMethod: annotation` of the ArgoCD (the default since Argo CD 3.0), on the hub and on the spokes.',
    sources: ['agent-mode 5 (58), 6.3 (13)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    const places = [
      ...fleet.join(principals).map(p => ({ view: fleet.hub, argo: p.argo })),
      ...[...fleet.spokes.values()].flatMap(view =>
        view
          .of('ArgoCD')
          .all.filter(a => a.agent?.enabled === true)
          .map(argo => ({ view, argo })),
      ),
    ]
    for (const { view, argo } of places) {
      const config = view.of('ConfigMap').get(argo.meta.namespace, 'argocd-cm')
      if (config?.data[KEY] !== 'label') continue
      yield {
        subject: argo.subject,
        message: `ArgoCD "${argo.meta.name}"${view.role === 'hub' ? '' : ` on cluster "${view.name}"`} tracks resources by label, which the resource proxy of agents does not understand.`,
        evidence: [fact(config, `.data[${KEY}]`, 'label')],
        effect: 'live manifests of agent Applications cannot be shown; sync and status are not affected',
        fix: 'set spec.resourceTrackingMethod: annotation',
        breaks: false,
        through: [],
      }
    }
  },
}
