import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { appSets } from '../../fleet/joins/appsets.ts'
import { PLACEMENT_LABEL } from '../../fleet/labels.ts'
import { isObject, valueAt } from '../../raw.ts'
import { nearest } from '../../ui/nearest.ts'
import { edit, listOf, mapObjects, NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'

const NONE = 'no Placement of nearly this name is in the Argo CD namespace'

function meant({ subject: { namespace, name } }: Finding, fleet: Fleet): { wrong: string; right: string } | undefined {
  const link = fleet.join(appSets).byKey.get(`${namespace}/${name}`)
  const wrong = link?.generators.find(g => g.decisions.length === 0)?.generator.labelSelector?.matchLabels[
    PLACEMENT_LABEL
  ]
  if (link === undefined || wrong === undefined) return undefined
  const there = fleet.hub
    .of('Placement')
    .in(link.argoNamespace)
    .map(p => p.meta.name)
  const right = nearest(wrong, there)
  return right === undefined || right === wrong ? undefined : { wrong, right }
}

export const appsetPlacementMissingFix: Fix = {
  code: 'FLT0315',
  does: 'ask for the decisions of the Placement that was most likely meant',
  risk: 'the ApplicationSet makes Applications for the clusters of that Placement, and deletes those of others',
  safe: false,
  kinds: ['ApplicationSet'],
  hinders: (finding, fleet) => (meant(finding, fleet) === undefined ? NONE : undefined),
  repair(input) {
    const { finding, fleet } = input
    const found = meant(finding, fleet)
    if (found === undefined) return NONE
    const generators = listOf(input, finding.subject, 'spec', 'generators')
    if (generators === undefined) return NOT_SEEN
    const corrected = mapObjects(generators, object => {
      const labels = valueAt(object, 'matchLabels')
      return isObject(labels) && labels[PLACEMENT_LABEL] === found.wrong
        ? { ...object, matchLabels: { ...labels, [PLACEMENT_LABEL]: found.right } }
        : object
    })
    return {
      steps: [
        edit(
          input,
          finding.subject,
          { spec: { generators: corrected } },
          `Placement ${found.right} exists, ${found.wrong} does not`,
        ),
      ],
    }
  },
}
