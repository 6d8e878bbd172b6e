import type { Fix } from '../fix.ts'
import { destinationByName } from '../generation/destination.ts'

export const appServerLiteralFix: Fix = {
  code: 'FLT0417',
  does: 'let the Application name its cluster instead of the URL that it has now',
  risk: 'none: it goes to the same cluster',
  safe: true,
  kinds: ['Application'],
  repair(input) {
    const [cluster] = input.finding.clusters ?? []
    if (cluster === undefined) return 'its cluster is not known'
    const why = 'a name stays when the URL of the cluster changes'
    return { steps: [destinationByName(input, input.finding.subject, cluster, why)] }
  },
}
