import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { isObject, textAt } from '../../raw.ts'
import { edit, listOf, mapObjects, NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'

const NONE = 'which decisions are meant only its author knows'

/** The ConfigMap that the GitOpsCluster controller writes, where it is all that the generator lacks (push-pull.md 1.6). */
function configMapFor({ subject: { namespace, name } }: Finding, fleet: Fleet): string | undefined {
  const generators = fleet.hub.of('ApplicationSet').get(namespace, name)?.decisionGenerators ?? []
  const lacking = generators.filter(g => g.configMapRef === '')
  const others = generators.some(g => (g.resourceName === '') === (g.labelSelector === undefined))
  return lacking.length > 0 && !others ? 'acm-placement' : undefined
}

export const appsetGeneratorIncompleteFix: Fix = {
  code: 'FLT0316',
  does: 'name the ConfigMap by which the generator reads decisions',
  risk: 'Applications are made for all clusters that its selector finds',
  safe: false,
  kinds: ['ApplicationSet'],
  hinders: (finding, fleet) => (configMapFor(finding, fleet) === undefined ? NONE : undefined),
  repair(input) {
    const { finding, fleet } = input
    const name = configMapFor(finding, fleet)
    if (name === undefined) return NONE
    const generators = listOf(input, finding.subject, 'spec', 'generators')
    if (generators === undefined) return NOT_SEEN
    const completed = mapObjects(generators, object => {
      const { clusterDecisionResource: own } = object
      return isObject(own) && textAt(own, 'configMapRef') === ''
        ? { ...object, clusterDecisionResource: { ...own, configMapRef: name } }
        : object
    })
    return {
      steps: [edit(input, finding.subject, { spec: { generators: completed } }, `ConfigMap ${name} is there for it`)],
    }
  },
}
