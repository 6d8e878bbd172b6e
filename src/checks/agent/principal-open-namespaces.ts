import { principals } from '../../fleet/joins/agents.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { globMatches } from '../../fleet/joins/spoke-argo.ts'
import type { Check } from '../check.ts'
import { count, fact, names } from '../support.ts'
import { AGENT_INPUTS, notAgentHub } from './agent-support.ts'

export const principalOpenNamespaces: Check = {
  code: 'FLT0829',
  slug: 'principal-open-namespaces',
  title: 'A principal takes Applications from namespaces that it names',
  severity: 'info',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Application', 'Namespace'] },
  uses: AGENT_INPUTS,
  docs: {
    why: "With `allowedNamespaces: ['*']` whoever may create an Application in any namespace of the hub has it carried out on every spoke that its project permits.",
    remedy:
      'Name the namespaces in `spec.argoCDAgent.principal.namespace.allowedNamespaces`; none is needed for Applications beside the principal and for autonomous agents only those of the clusters.',
    sources: ['agent-mode 1.2, 2.6'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const { argo, settings } of fleet.join(principals)) {
      if (!settings.allowedNamespaces.includes('*')) continue
      const { namespace } = argo.meta
      // Worth a word only where it is not what is in use: nothing but the Argo CD namespace itself.
      const outside = fleet
        .join(applications)
        .all.filter(l => l.model === 'agent' && l.argoNamespace === namespace && l.app.meta.namespace !== namespace)
      const open = argo.sourceNamespaces.some(p => globMatches(p, 'any-other-namespace'))
      if (outside.length > 0 || !open) continue
      const others = fleet.hub.of('Namespace').all.length
      yield {
        subject: argo.subject,
        message: `The principal of ArgoCD "${argo.meta.name}" takes Applications from every namespace of the hub, and none of them is outside "${namespace}".`,
        evidence: [
          fact(argo, '.spec.argoCDAgent.principal.namespace.allowedNamespaces', names(settings.allowedNamespaces)),
          fact(argo, '.spec.sourceNamespaces', names(argo.sourceNamespaces)),
          fact(argo, '', count(others, 'namespace')),
        ],
        effect: 'whoever may create an Application anywhere on the hub can have it deployed to the spokes',
        fix: `name the namespaces that are meant, or leave allowedNamespaces empty`,
        breaks: false,
      }
    }
  },
}
