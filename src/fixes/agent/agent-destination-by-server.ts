import { nameParameter } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { destinationByName } from '../generation/destination.ts'

export const agentDestinationByServerFix: Fix = {
  code: 'FLT0824',
  does: 'let the Applications name their cluster',
  risk: 'the principal hands them to the agents, which deploy them',
  safe: true,
  kinds: ['ApplicationSet', 'Application'],
  repair(input) {
    const { finding, fleet } = input
    const { subject: of } = finding
    const appSet = of.kind === 'ApplicationSet' ? fleet.hub.of('ApplicationSet').get(of.namespace, of.name) : undefined
    const [cluster] = finding.clusters ?? []
    const name = appSet === undefined ? cluster : nameParameter(appSet.goTemplate)
    if (name === undefined) return 'its cluster is not known'
    return { steps: [destinationByName(input, of, name, 'the principal looks at the name alone')] }
  },
}
