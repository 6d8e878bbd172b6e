import { textAt } from '../../raw.ts'
import { edit, listOf, NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const principalEnvIgnoredFix: Fix = {
  code: 'FLT0812',
  does: 'take the variables out that the operator does not read',
  risk: 'the operator is restarted; what the variables were meant for has to be set in the ArgoCD resource',
  safe: false,
  kinds: ['Subscription'],
  repair(input) {
    const { finding } = input
    const env = listOf(input, finding.subject, 'spec', 'config', 'env')
    if (env === undefined) return NOT_SEEN
    const kept = env.filter(e => {
      const name = textAt(e, 'name')
      return !name.startsWith('ARGOCD_PRINCIPAL_') || name === 'ARGOCD_PRINCIPAL_IMAGE'
    })
    return {
      steps: [
        edit(
          input,
          finding.subject,
          { spec: { config: { env: kept } } },
          'the principal takes its settings from the ArgoCD resource alone',
        ),
      ],
      afterwards: 'set the same in spec.argoCDAgent.principal of the ArgoCD, where it was wanted',
    }
  },
}
