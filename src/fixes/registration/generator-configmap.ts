import { edit, hubSubject } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const generatorConfigmapFix: Fix = {
  code: 'FLT0208',
  does: 'write the four keys of the ConfigMap by which the generator reads decisions',
  risk: 'ApplicationSets generate again: Applications that they deleted or did not make come',
  safe: true,
  kinds: ['ConfigMap'],
  repair(input) {
    const { namespace, name } = input.finding.subject
    const data = {
      apiVersion: input.version('PlacementDecision'),
      kind: 'placementdecisions',
      statusListKey: 'decisions',
      matchKey: 'clusterName',
    }
    const step = edit(
      input,
      hubSubject('ConfigMap', namespace, name),
      { data },
      'what the GitOpsCluster controller writes when it makes it',
    )
    return { steps: [step] }
  },
}
