import { edit, nameParameter } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const appsetNameStaticFix: Fix = {
  code: 'FLT0307',
  does: 'put the name of the cluster into the name of the Applications',
  risk: 'an Application of the old name is deleted, with its workload if it has the finalizer, and made anew under the new one',
  safe: false,
  kinds: ['ApplicationSet'],
  repair(input) {
    const { finding, fleet } = input
    const appSet = fleet.hub.of('ApplicationSet').get(finding.subject.namespace, finding.subject.name)
    if (appSet === undefined) return 'the ApplicationSet is gone'
    const name = `${appSet.template.name}-${nameParameter(appSet.goTemplate)}`
    return {
      steps: [
        edit(
          input,
          finding.subject,
          { spec: { template: { metadata: { name } } } },
          'two Applications cannot have one name',
        ),
      ],
    }
  },
}
