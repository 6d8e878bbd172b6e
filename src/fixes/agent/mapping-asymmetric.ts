import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const mappingAsymmetricFix: Fix = {
  code: 'FLT0803',
  does: 'set destination-based mapping of the principal to what its agents use',
  risk: 'the operator restarts the principal, and the agents make the Applications anew that it sends them',
  safe: true,
  kinds: ['ArgoCD'],
  repair(input) {
    const { namespace, name } = input.finding.subject
    const principal = input.fleet.hub.of('ArgoCD').get(namespace, name)?.principal
    if (principal === undefined) return 'the principal is gone'
    const destinationBasedMapping = !principal.destinationBasedMapping
    return {
      steps: [
        edit(
          input,
          input.finding.subject,
          { spec: { argoCDAgent: { principal: { destinationBasedMapping } } } },
          'both sides must agree',
        ),
      ],
    }
  },
}
