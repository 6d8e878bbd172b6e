import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const principalOpenNamespacesFix: Fix = {
  code: 'FLT0829',
  does: 'let the principal take Applications from no further namespace',
  risk: 'the operator restarts the principal; Applications of other namespaces would not be carried out any more, and there is none now',
  safe: false,
  kinds: ['ArgoCD'],
  repair(input) {
    return {
      steps: [
        edit(
          input,
          input.finding.subject,
          { spec: { argoCDAgent: { principal: { namespace: { allowedNamespaces: [] } } } } },
          'Applications beside the principal need no entry',
        ),
      ],
    }
  },
}
