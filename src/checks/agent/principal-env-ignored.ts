import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const principalEnvIgnored: Check = {
  code: 'FLT0812',
  slug: 'principal-env-ignored',
  title: 'The Subscription of the operator sets no variable that has no effect',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['Subscription'] },
  docs: {
    why: 'Variables called `ARGOCD_PRINCIPAL_…` are read by the principal container, which the operator fills from the ArgoCD resource alone. In the Subscription only the image is read; everything else there has no effect, whatever was meant by it.',
    remedy: 'Set the field of the ArgoCD resource (`spec.argoCDAgent.principal…`) and remove the variable.',
    sources: ['agent-mode 1.1, 6.1, 8 (A21)'],
  },
  *run(fleet) {
    for (const subscription of fleet.hub.of('Subscription').all) {
      const ignored = Object.keys(subscription.env).filter(
        name => name.startsWith('ARGOCD_PRINCIPAL_') && name !== 'ARGOCD_PRINCIPAL_IMAGE',
      )
      if (ignored.length === 0) continue
      yield {
        subject: subscription.subject,
        message: `Subscription "${subscription.meta.name}" sets ${names(ignored)}, which the operator does not read.`,
        evidence: ignored.map(name => fact(subscription, `.spec.config.env[${name}]`, 'set')),
        effect: 'none: the principal takes these settings from the ArgoCD resource',
        fix: 'remove the variables; set the fields below spec.argoCDAgent.principal of the ArgoCD resource',
      }
    }
  },
}
