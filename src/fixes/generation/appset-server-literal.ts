import { nameParameter } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { destinationByName } from './destination.ts'

export const appsetServerLiteralFix: Fix = {
  code: 'FLT0313',
  does: 'let each Application go to the cluster that it is made for',
  risk: 'Applications that all went to one cluster now go to one each: what they deployed there is pruned or left, as their sync policy says',
  safe: false,
  kinds: ['ApplicationSet'],
  repair(input) {
    const { finding, fleet } = input
    const { namespace, name } = finding.subject
    const appSet = fleet.hub.of('ApplicationSet').get(namespace, name)
    const parameter = nameParameter(appSet?.goTemplate === true)
    return {
      steps: [destinationByName(input, finding.subject, parameter, 'the generator yields the name of each cluster')],
    }
  },
}
