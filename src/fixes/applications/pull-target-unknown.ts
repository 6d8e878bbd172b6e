import type { Finding } from '../../checks/check.ts'
import { PULL_TARGET } from '../../fleet/labels.ts'
import { delivered, edit, nameParameter } from '../edits.ts'
import type { Fix } from '../fix.ts'

const ONE_ONLY = 'which cluster is meant, or whether it was detached on purpose, only people know'

function isSingle({ subject: { kind } }: Finding): string | undefined {
  return kind === 'ApplicationSet' ? undefined : ONE_ONLY
}

export const pullTargetUnknownFix: Fix = {
  code: 'FLT0401',
  does: 'let the target annotation of the template be the name of the cluster',
  risk: 'the Applications are carried to the clusters that they are made for',
  safe: true,
  kinds: ['ApplicationSet'],
  hinders: isSingle,
  repair(input) {
    const { finding, fleet } = input
    const { subject: of } = finding
    const appSet = fleet.hub.of('ApplicationSet').get(of.namespace, of.name)
    if (of.kind !== 'ApplicationSet' || appSet === undefined) return ONE_ONLY
    const annotations = { [PULL_TARGET]: nameParameter(appSet.goTemplate) }
    return {
      steps: [
        edit(
          input,
          of,
          delivered(of, { metadata: { annotations } }),
          'the target must be the name of a ManagedCluster',
        ),
      ],
    }
  },
}
