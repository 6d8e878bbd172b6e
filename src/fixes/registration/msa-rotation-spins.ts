import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

const HOUR = 3_600_000

export const msaRotationSpinsFix: Fix = {
  code: 'FLT0221',
  does: 'ask for tokens that live as long as the cluster lets them',
  risk: 'tokens are renewed more often than the account asked for, as the cluster has it anyway',
  safe: true,
  kinds: ['ManagedServiceAccount'],
  repair(input) {
    const { finding, fleet } = input
    const { namespace, name } = finding.subject
    const msa = fleet.hub.of('ManagedServiceAccount').get(namespace, name)
    if (msa?.expires === undefined || msa.lastRefresh === undefined) return 'the life of the token is not known'
    const hours = Math.max(1, Math.round((msa.expires - msa.lastRefresh) / HOUR))
    return {
      steps: [
        edit(input, finding.subject, { spec: { rotation: { validity: `${hours}h0m0s` } } }, 'what the cluster grants'),
      ],
    }
  },
}
